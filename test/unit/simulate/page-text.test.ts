import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { byteEncoder } from '../../../src/simulate/markup/byte-encoder.ts';
import { fillerBlocks } from '../../../src/simulate/markup/filler-blocks.ts';
import { FOREIGN_TEXTS } from '../../../src/simulate/markup/foreign-words.ts';
import { GzipSink, PlainSink } from '../../../src/simulate/markup/page-sink.ts';
import { ChangedWords } from '../../../src/simulate/model/changed-words.ts';

describe('byteEncoder', () => {
  test('writes what the platform reads back, in every charset of the web', () => {
    for (const { charset, words } of FOREIGN_TEXTS) {
      const text = words.join(' ');
      const bytes = Buffer.from(byteEncoder(charset)(text), 'latin1');
      assert.equal(new TextDecoder(charset).decode(bytes), text, charset);
    }
  });

  test('refuses what the charset does not have', () => {
    assert.throws(() => byteEncoder('windows-1251')('日本'), RangeError);
  });
});

describe('GzipSink', () => {
  test('joins blocks and other text into one valid stream', () => {
    const blocks = fillerBlocks(3, 0.2);
    const plain = new PlainSink(blocks);
    const gzip = new GzipSink(blocks);
    for (const sink of [plain, gzip]) {
      sink.add('<!DOCTYPE html>');
      for (let block = 0; block < 300; block++) {
        sink.addBlock((block * 37) % blocks.count);
        if (block % 3 === 0) sink.add(`<a href="/${block}">caf\xc3\xa9</a>`);
      }
      sink.add('x'.repeat(200_000));
    }
    const packed = gzip.end();
    assert.equal(gunzipSync(Buffer.from(packed, 'latin1')).toString('latin1'), plain.end());
    assert.ok(packed.length < plain.end().length);
    assert.equal(gunzipSync(Buffer.from(new GzipSink(blocks).end(), 'latin1')).length, 0);
  });
});

describe('ChangedWords', () => {
  test('changes the first word and every so manieth after it, over all blocks, and no markup', () => {
    const words = Array.from({ length: 100 }, (_, at) => `w${at}`);
    const block = `<p class="a b">${words.slice(0, 20).join(' ')}</p>\n<p>${words.slice(20, 25).join(' ')}</p>`;
    const changed = new ChangedWords(['w0', 'new', 'other'], 10, 4);
    const text = changed.change(block) + changed.change(block);
    const tags = /<[^>]*>/g;
    assert.deepEqual(text.match(tags), (block + block).match(tags));
    const before = (block + block).replace(tags, ' ').trim().split(/\s+/);
    const after = text.replace(tags, ' ').trim().split(/\s+/);
    const different = after.flatMap((word, at) => (word === before[at] ? [] : [at]));
    assert.deepEqual(different, [0, 10, 20, 30, 40]);
  });
});
