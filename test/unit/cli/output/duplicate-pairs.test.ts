import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { OrbweaverError } from '../../../../src/base/errors.ts';
import { documentLines, printDuplicatePairs } from '../../../../src/cli/output/duplicate-pairs.ts';

async function printed(lines: readonly string[], threshold = 0.8): Promise<string> {
  const output = new PassThrough();
  const all = text(output);
  await printDuplicatePairs({ threshold, documents: documentLines(Readable.from([lines.join('\n')])), output });
  output.end();
  return all;
}

const words = Array.from({ length: 60 }, (_, i) => `word${i}`);

describe('printDuplicatePairs', () => {
  test('prints pairs above the threshold, the likest first', async () => {
    const lines = [
      `\uFEFF${JSON.stringify({ id: 'a', text: words.join(' ') })}`,
      '',
      JSON.stringify({ id: 2, text: words.with(59, 'last').join(' ') }),
      JSON.stringify({ id: 'c', text: words.join(' ') }),
      JSON.stringify({ id: 'd', text: words.toReversed().join(' ') }),
    ];
    assert.equal(
      await printed(lines),
      '{"a":"a","b":"c","jaccard":1}\n{"a":"a","b":2,"jaccard":0.964912}\n{"a":2,"b":"c","jaccard":0.964912}\n',
    );
    assert.equal(await printed([]), '');
  });

  for (const [line, message] of [
    ['{"id": 1, "text": ', /Line 2: this is not valid JSON/],
    ['[1]', /Line 2: this is not a JSON object/],
    ['{"text": "x"}', /Line 2: "id" must be/],
    ['{"id": 1, "text": 5}', /Line 2: "text" must be/],
  ] as const) {
    test(`refuses ${line}`, async () => {
      await assert.rejects(printed(['{"id": 0, "text": "fine"}', line]), (error: OrbweaverError) => {
        assert.ok(error instanceof OrbweaverError);
        assert.equal(error.code, 'INPUT_INVALID');
        assert.match(error.message, message);
        assert.match(error.remedy ?? '', /one JSON object/);
        return true;
      });
    });
  }

  test('refuses a threshold out of range', async () => {
    await assert.rejects(printed([], 0.1), { code: 'USAGE' });
    await assert.rejects(printed([], Number.NaN), { code: 'USAGE' });
  });
});
