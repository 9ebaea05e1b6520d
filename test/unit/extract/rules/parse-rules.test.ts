import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { OrbweaverError } from '../../../../src/base/errors.ts';
import { loadSettingsFile } from '../../../../src/base/settings/load-settings-file.ts';
import { resolveSettings } from '../../../../src/base/settings/resolve-settings.ts';
import { readRules } from '../../../../src/crawl/extraction/read-rules.ts';
import { parseRules } from '../../../../src/extract/rules/parse-rules.ts';
import { readNumber, typedValue } from '../../../../src/extract/rules/typed-value.ts';

async function mistakes(rules: string): Promise<string[]> {
  try {
    await parseRules(`#@ rules.yaml:1\n${rules}`, (pattern) => {
      if (pattern.includes('(')) throw new Error(`the pattern ${pattern} cannot be used`);
    });
    return [];
  } catch (error) {
    assert.ok(error instanceof OrbweaverError && error.code === 'RULES_INVALID' && error.remedy !== undefined);
    return error.message.split('\n');
  }
}

describe('wrong rules', () => {
  test('every mistake is told with its line', async () => {
    const told = await mistakes(`products:
  match: [/p/*, "re:("]
  each: "li["
  key: nothing
  fields:
    a: "h1["
    b: { xpath: "//h1[" }
    c: { regex: "((" }
    d: { json-ld: "a b" }
    e: { css: h1, typ: text }
    f: { css: h1, type: money }
    g: { css: h1, type: number, default: cheap }
    h: { css: h1, xpath: //h1 }
    i: { type: text }
    url: h1
    j: { css: h1, many: perhaps }
    k: { css: "p:nope" }
    l: { xpath: "nope(1)" }
other:
  filds: {}
`);
    const lines = told.map((line) => Number(/^rules\.yaml, line (\d+): /.exec(line)?.[1]));
    for (const line of [2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
      assert.ok(lines.includes(line), `line ${line} is not told of:\n${told.join('\n')}`);
    assert.match(told.join('\n'), /line 10: .*"typ".* nearest is type/);
  });

  test('what is no set of rules, or no YAML, is told as well', async () => {
    for (const rules of ['- a', 'a: 1', 'a: { fields: 3 }', 'a: {fields: {x: h1}', 'a: &x\n  fields: *x'])
      assert.match((await mistakes(rules))[0], /^rules\.yaml, line \d+: /);
  });

  test('in the settings file the line is that of the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-rules-'));
    try {
      const path = join(folder, 'orbweaver.yaml');
      writeFileSync(
        path,
        '# a comment\ndelay: 1s\nextract:\n  a:\n    fields:\n      x: h1\n      y: "h1["\nmax-pages: 5\n',
      );
      const { settings } = resolveSettings({ file: await loadSettingsFile(path) });
      assert.equal(settings.maxPages, 5);
      await assert.rejects(readRules(settings), (error: Error) => error.message.startsWith(`${path}, line 7: a.y`));
      writeFileSync(path, 'extract: { a: { fields: { x: h1 } } }\n');
      const right = await readRules(resolveSettings({ file: await loadSettingsFile(path) }).settings);
      assert.deepEqual(right[0].fields[0].selector, { kind: 'css', expression: 'h1' });
      const missing = resolveSettings({ flags: { extract: join(folder, 'none.yaml') } }).settings;
      await assert.rejects(readRules(missing), /none\.yaml could not be read: it does not exist/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test('numbers as people write them', () => {
  const read = {
    '1,299.00': 1299,
    '1.299,00 €': 1299,
    'CHF 1’299.50': 1299.5,
    '1 299,5': 1299.5,
    '1,299': 1299,
    '1.299': 1.299,
    '12,5': 12.5,
    '-3.2e3': -3200,
    '−4': -4,
    '.5': 0.5,
    'from 3 50': 3,
    '1,234,567': 1234567,
    none: undefined,
  };
  for (const [text, number] of Object.entries(read)) assert.equal(readNumber(text), number, text);
});

test('values that are not of their type are none', () => {
  const no = (): undefined => undefined;
  assert.equal(typedValue('2.5', 'integer', no), undefined);
  assert.equal(typedValue('maybe', 'boolean', no), undefined);
  assert.equal(typedValue('Yes', 'boolean', no), true);
  assert.equal(typedValue('https://schema.org/OutOfStock', 'boolean', no), false);
  assert.equal(typedValue('soon', 'date', no), undefined);
  assert.equal(typedValue('2026-02-30', 'date', no), undefined);
  assert.equal(typedValue('http://', 'url', no), undefined);
});
