import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OrbweaverError } from '../../../../src/base/errors.ts';
import { DEFAULT_WEB_SPEC, type WebSpecOverrides, webSpec } from '../../../../src/simulate/model/web-spec.ts';

describe('webSpec', () => {
  test('fills in the defaults, group by group', () => {
    const spec = webSpec({ hosts: 3, pages: { copy: 0.5 } });
    assert.equal(spec.hosts, 3);
    assert.deepEqual(spec.pages, { ...DEFAULT_WEB_SPEC.pages, copy: 0.5 });
    assert.deepEqual(webSpec(), DEFAULT_WEB_SPEC);
  });

  test('refuses what makes no web, with a stable code', () => {
    const cases: [WebSpecOverrides, string][] = [
      [{ hostz: 3 } as WebSpecOverrides, 'SETTING_UNKNOWN'],
      [{ robots: { slw: 1 } } as WebSpecOverrides, 'SETTING_UNKNOWN'],
      [{ hosts: 0 }, 'SETTING_INVALID'],
      [{ hosts: 1.5 }, 'SETTING_INVALID'],
      [{ hosts: 1_000_000, pagesPerHost: 1_000_000 }, 'SETTING_INVALID'],
      [{ pageBytes: [9000, 1000] }, 'SETTING_INVALID'],
      [{ pages: { copy: 1.2 } }, 'SETTING_INVALID'],
      [{ pages: { copy: 0.6, redirect: 0.6 } }, 'SETTING_INVALID'],
      [{ robots: { missing: 0.9, broken: 0.2 } }, 'SETTING_INVALID'],
      [{ seed: '1' as unknown as number }, 'SETTING_INVALID'],
    ];
    for (const [overrides, code] of cases) {
      assert.throws(() => webSpec(overrides), { code }, JSON.stringify(overrides));
    }
  });

  test('says of a value of the wrong shape what it should be', () => {
    for (const [given, told, remedy] of [
      ['{"pages": 400}', /^pages of a synthetic web is a group of shares, not 400\.$/, /pagesPerHost/],
      ['{"links": [0.1]}', /^links of a synthetic web is a group of shares, not \[0\.1\]\.$/, /"links": \{"/],
      ['{"spam": null}', /^spam of a synthetic web is a group of shares, not null\.$/, /linkFarm/],
      ['{"pageBytes": 900}', /^pageBytes of a synthetic web is a pair \[least, most\], not 900\.$/, /By default/],
      ['{"toString": {}}', /no parameter "toString"/, /hosts/],
    ] as const) {
      assert.throws(
        () => webSpec(JSON.parse(given)),
        (error: OrbweaverError) => told.test(error.message) && remedy.test(error.remedy ?? ''),
        given,
      );
    }
  });
});
