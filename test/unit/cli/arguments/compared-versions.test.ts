import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparedVersions } from '../../../../src/cli/arguments/compared-versions.ts';
import type { PageVersion } from '../../../../src/crawl/report/crawl-reader.ts';

test('commands that are suggested can be copied: folder and URL are one word each', () => {
  const asked = { url: 'http://a.test/?a=1&b=2', crawl: { name: 'my crawl', flag: '--dir "my crawl"' } };
  const remedy = 'orbweaver explain "http://a.test/?a=1&b=2" --dir "my crawl"';
  assert.throws(() => comparedVersions([], asked), { code: 'URL_NOT_FOUND', remedy: `To see why: ${remedy}` });
  const versions = [{ date: 1 }, { date: 2 }] as PageVersion[];
  assert.throws(() => comparedVersions(versions, { ...asked, from: 1, to: 1 }), {
    remedy: /orbweaver versions "http:\/\/a\.test\/\?a=1&b=2" --dir/,
  });
});
