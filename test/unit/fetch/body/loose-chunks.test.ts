import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { LooseChunks } from '../../../../src/fetch/body/loose-chunks.ts';
import { latin1Text } from '../latin1-text.ts';

function rewritten(pieces: readonly Buffer[]): string {
  const chunks = new LooseChunks();
  return Buffer.concat(pieces.map((piece) => chunks.rewrite(piece))).toString('latin1');
}

describe('chunked bodies with bare line feeds', () => {
  test('are told by their first line', () => {
    assert.ok(LooseChunks.looksLoose(Buffer.from('5\nhello')));
    assert.ok(!LooseChunks.looksLoose(Buffer.from('5\r\nhello\n')));
    assert.ok(!LooseChunks.looksLoose(Buffer.from('\n')));
    assert.ok(!LooseChunks.looksLoose(Buffer.from('5')));
  });

  test('become strict ones, however they arrive', () => {
    const chunk = latin1Text.filter((text) => text !== '');
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 5 }), fc.array(fc.nat(200), { maxLength: 8 }), (data, cuts) => {
        const hex = (text: string): string => text.length.toString(16);
        const loose = Buffer.from(
          `${data.map((one) => `${hex(one)};x=y\n${one}\n`).join('')}0\nTrailer: t\n\nnext`,
          'latin1',
        );
        const strict = `${data.map((one) => `${hex(one)}\r\n${one}\r\n`).join('')}0\r\n\r\nnext`;
        const at = [0, ...cuts.map((cut) => Math.min(cut, loose.length)).sort((a, b) => a - b), loose.length];
        const pieces = at.slice(1).map((end, i) => loose.subarray(at[i], end));
        assert.equal(rewritten(pieces), strict);
      }),
    );
  });

  test('a line that is too long is handed on whole, however it is cut', () => {
    const long = Buffer.from(`${'f'.repeat(3_000)}\nafter`);
    assert.equal(rewritten([long]), long.toString());
    assert.equal(rewritten([long.subarray(0, 2_000), long.subarray(2_000)]), long.toString());
  });

  test('nonsense is handed on, and remembered no longer than a line', () => {
    assert.equal(rewritten([Buffer.from('hello\nworld')]), 'hello\r\nworld');
    const chunks = new LooseChunks();
    for (let i = 0; i < 100; i++) chunks.rewrite(Buffer.alloc(100, 'f'));
    assert.equal(chunks.rewrite(Buffer.from('x')).toString(), 'x');
  });
});
