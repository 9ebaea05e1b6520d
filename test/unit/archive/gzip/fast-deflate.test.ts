import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { crc32, deflateRawSync, gunzipSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { FastDeflate } from '../../../../src/archive/gzip/fast-deflate.ts';
import { LearntCode } from '../../../../src/archive/gzip/learnt-code.ts';
import { corpus } from '../../../corpora.ts';
import { propertyRuns } from '../../../property-runs.ts';

/** Bytes that look random and are the same in every run. */
function noise(length: number, seed = 1): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let at = 0; at < length; at++) {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

const ENGLISH = 'the of and to in a is that for it was on are as with his they at be this from I have or by one had';
const RUSSIAN = 'и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой ещё от так о';

function prose(words: string, length: number, seed = 1): Buffer {
  const list = words.split(' ');
  const picks = noise(length, seed);
  let text = '<p class="text">';
  for (let at = 0; text.length < length; at++) {
    text += `${list[picks[at] % list.length]}${picks[at] > 250 ? '</p>\n<p class="text">' : ' '}`;
  }
  return Buffer.from(text);
}

class Encoder {
  readonly out = new FastDeflate();
  readonly code = new LearntCode();

  packed(...pieces: Uint8Array[]): Buffer {
    this.out.clear();
    const crc = this.out.deflate(pieces, this.code, true);
    assert.equal(crc, crc32(Buffer.concat(pieces)));
    const parts = this.out.parts();
    const bytes = Buffer.concat(parts);
    assert.equal(this.out.length, bytes.length);
    return bytes;
  }

  check(...pieces: Uint8Array[]): Buffer {
    const bytes = this.packed(...pieces);
    const whole = Buffer.concat(pieces);
    const { buffer, engine } = inflateRawSync(bytes, { info: true }) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    assert.ok(buffer.equals(whole));
    assert.equal(engine.bytesWritten, bytes.length, 'nothing comes after the last block');
    const stored = whole.length + 5 * Math.max(1, Math.ceil(whole.length / 0xffff));
    assert.ok(bytes.length <= stored, `${bytes.length} bytes for ${whole.length}`);
    return bytes;
  }
}

describe('what was compressed inflates to the same', () => {
  const chunk = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
    fc
      .tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 600 }))
      .map(([unit, times]) => Buffer.concat(Array.from({ length: times }, () => unit))),
    fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.nat(999)).map(([length, seed]) => prose(ENGLISH, length, seed)),
    fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.nat(999)).map(([length, seed]) => noise(length, seed)),
  );

  test('arbitrary mixtures, one after another by the same encoder', () => {
    fc.assert(
      fc.property(fc.array(fc.array(chunk, { maxLength: 6 }), { minLength: 1, maxLength: 8 }), (inputs) => {
        const encoder = new Encoder();
        for (const pieces of inputs) encoder.check(...pieces);
      }),
      { numRuns: propertyRuns(300) },
    );
  });

  test('every short length', () => {
    const encoder = new Encoder();
    for (let length = 0; length < 400; length++) {
      encoder.check(noise(length));
      encoder.check(Buffer.alloc(length, 'ab'));
      encoder.check(prose(ENGLISH, 400).subarray(0, length));
    }
  });

  test('matches at every distance near the limit, and of every length', () => {
    const unit = noise(600, 7);
    for (const gap of [0, 1, 2, 3, 7, 8, 9, 255, 256, 257, 32_100, 32_167, 32_168, 32_169, 32_170, 33_000]) {
      new Encoder().check(unit, noise(gap, 3), unit, noise(20, 9));
    }
    const encoder = new Encoder();
    for (let length = 1; length < 600; length++) {
      encoder.check(unit.subarray(0, length), Buffer.from('|'), unit.subarray(0, length), noise(length % 17, 5));
    }
    for (let distance = 1; distance < 40; distance++) {
      encoder.check(Buffer.alloc(1000, unit.subarray(0, distance)), noise(distance));
    }
  });

  test('inputs of several segments, around their borders', () => {
    const encoder = new Encoder();
    const segment = 256 * 1024;
    const text = prose(ENGLISH, 2 * segment + 100);
    for (const length of [segment - 1, segment, segment + 1, 2 * segment, 2 * segment + 70]) {
      encoder.check(text.subarray(0, length));
      encoder.check(text.subarray(0, 1000), text.subarray(0, length), Buffer.from('\r\n\r\n'));
    }
    encoder.check(noise(65_535));
    encoder.check(noise(65_536));
    encoder.check(noise(600_000), prose(RUSSIAN, 300_000), noise(600_000, 2), prose(ENGLISH, 600_000));
    encoder.check(Buffer.alloc(3_000_000, 'x'));
  });

  test('stored bytes and frames between blocks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(chunk, fc.boolean()), { minLength: 1, maxLength: 8 }),
        fc.nat(200_000),
        (list, extra) => {
          const encoder = new Encoder();
          encoder.out.clear();
          const frame = Buffer.from('frame');
          encoder.out.raw(frame);
          const pieces = [...list, [noise(extra), false] as const];
          for (const [at, [piece, compress]] of pieces.entries()) {
            const last = at === pieces.length - 1;
            if (compress) encoder.out.deflate([piece], encoder.code, last);
            else encoder.out.store(piece, last);
          }
          encoder.out.raw(frame);
          const bytes = Buffer.concat(encoder.out.parts());
          assert.equal(encoder.out.length, bytes.length);
          const inflated = inflateRawSync(bytes.subarray(frame.length, -frame.length));
          assert.ok(inflated.equals(Buffer.concat(pieces.map(([piece]) => piece))));
        },
      ),
      { numRuns: propertyRuns(100) },
    );
  });

  test('there is room behind whatever was stored', () => {
    const encoder = new Encoder();
    const inputs = [noise(490_000), noise(1000, 2), noise(260_000, 3), noise(490_000, 4), noise(70_000, 5)];
    for (let pass = 0; pass < 2; pass++) {
      encoder.out.clear();
      for (const [at, piece] of inputs.entries()) {
        if (at % 2 === 0) encoder.out.deflate([piece], encoder.code, at === inputs.length - 1);
        else encoder.out.store(piece, false);
      }
      const bytes = Buffer.concat(encoder.out.parts());
      assert.equal(encoder.out.length, bytes.length);
      assert.ok(inflateRawSync(bytes).equals(Buffer.concat(inputs)));
    }
  });

  const folder = corpus('article-extraction');
  test('real pages, to about the size that the fastest level of zlib makes', {
    skip: folder ? false : 'no corpus',
  }, () => {
    const encoder = new Encoder();
    let ours = 0;
    let theirs = 0;
    for (const name of readdirSync(join(folder ?? '', 'html'))) {
      const page = gunzipSync(readFileSync(join(folder ?? '', 'html', name)));
      ours += encoder.check(page).length;
      theirs += deflateRawSync(page, { level: 1 }).length;
    }
    assert.ok(ours < theirs * 1.15, `${ours} bytes against ${theirs}`);
  });

  const python = spawnSync('python3', ['-c', 'import zlib']).status === 0;
  test('another inflater reads it', { skip: python ? false : 'there is no python3' }, () => {
    const encoder = new Encoder();
    const inputs = [Buffer.alloc(0), noise(1), prose(ENGLISH, 50_000), prose(RUSSIAN, 700_000), noise(100_000)];
    const program =
      'import sys, zlib\n' +
      'data = sys.stdin.buffer.read()\n' +
      'while data:\n' +
      '  inflater = zlib.decompressobj(-15)\n' +
      '  out = inflater.decompress(data)\n' +
      '  assert inflater.eof\n' +
      '  print(len(out), zlib.crc32(out))\n' +
      '  data = inflater.unused_data\n';
    const { stdout } = spawnSync('python3', ['-c', program], {
      input: Buffer.concat(inputs.map((input) => encoder.packed(input))),
    });
    assert.equal(String(stdout), inputs.map((input) => `${input.length} ${crc32(input)}\n`).join(''));
  });
});

describe('how small', () => {
  test('repetitions nearly vanish, noise is stored', () => {
    const encoder = new Encoder();
    assert.ok(encoder.check(Buffer.alloc(1_000_000, 'The same again. ')).length < 12_000);
    assert.equal(encoder.check(noise(100_000)).length, 100_000 + 10);
  });

  test('a text that suits no code so far gets its own, and does not spoil the code of the others', () => {
    const encoder = new Encoder();
    const english = (seed: number): number => encoder.check(prose(ENGLISH, 20_000, seed)).length;
    const alone = new Encoder().check(prose(RUSSIAN, 20_000)).length;
    const before = english(1);
    for (let seed = 2; seed < 20; seed++) english(seed);
    const russian = encoder.check(prose(RUSSIAN, 20_000)).length;
    assert.ok(russian <= alone * 1.01, `${russian} bytes against ${alone}`);
    assert.ok(english(1) <= before * 1.03);
  });

  test('a crawl that turns to another kind of text is followed', () => {
    const encoder = new Encoder();
    for (let seed = 1; seed < 100; seed++) encoder.check(prose(ENGLISH, 5000, seed));
    for (let seed = 1; seed < 300; seed++) encoder.check(prose(RUSSIAN, 5000, seed));
    const own = new Encoder().check(prose(RUSSIAN, 1900, 500)).length;
    // Too short to be looked at again: only a code that was learnt does well.
    assert.ok(encoder.check(prose(RUSSIAN, 1900, 500)).length <= own * 1.05);
  });
});

test('the bytes told are views of the memory of the encoder, but for what was stored', () => {
  const out = new FastDeflate();
  const code = new LearntCode();
  const body = noise(1000);
  out.deflate([prose(ENGLISH, 5000)], code, false);
  out.store(body, true);
  const parts = out.parts();
  assert.equal(parts.length, 2);
  assert.equal(parts[1], body);
  assert.deepEqual(out.parts(), parts);
});
