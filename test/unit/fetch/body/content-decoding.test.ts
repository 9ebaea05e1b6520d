import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { type Decoded, decodeContent } from '../../../../src/fetch/body/content-decoding.ts';
import { SizeCaps } from '../../../../src/fetch/body/size-caps.ts';

const LIMITS = { maxBytes: 8 * 1024 * 1024, maxRatio: 500 };
const ENCODERS: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  zstd: zstdCompressSync,
};

/** Text that compresses like a page does. */
function page(size: number): Buffer {
  let text = '';
  for (let i = 0; text.length < size; i++) text += `<p id="${(i * 7919) % 10007}">${Math.sin(i).toString(36)}</p>\n`;
  return Buffer.from(text.slice(0, size));
}

function brief(decoded: Decoded): string {
  return decoded.kind === 'failed' ? decoded.code : `${decoded.body.length} ${decoded.truncated ?? 'whole'}`;
}

const SMALL = page(20_000);
const LARGE = page(1_000_000);

describe('content decoding', () => {
  for (const [name, encode] of Object.entries(ENCODERS)) {
    test(`${name}: small at once, large as a stream`, async () => {
      const small = decodeContent(encode(SMALL), name, LIMITS);
      assert.ok(!(small instanceof Promise));
      assert.ok(small.kind === 'decoded' && small.truncated === undefined);
      assert.deepEqual(Buffer.from(small.body), SMALL);
      const large = await decodeContent(encode(LARGE), name.toUpperCase(), LIMITS);
      assert.ok(large.kind === 'decoded' && large.truncated === undefined);
      assert.ok(LARGE.equals(large.body));
    });

    test(`${name}: cut off in the middle yields what there is`, async () => {
      for (const whole of [SMALL, LARGE]) {
        const encoded = encode(whole);
        const decoded = await decodeContent(encoded.subarray(0, encoded.length * 0.7), name, LIMITS);
        assert.ok(decoded.kind === 'decoded', brief(decoded));
        assert.equal(decoded.truncated, 'disconnect');
        assert.ok(decoded.body.length < whole.length);
        assert.ok(whole.subarray(0, decoded.body.length).equals(decoded.body));
      }
    });

    test(`${name}: output is cut at the cap`, async () => {
      for (const maxBytes of [1, 1000, 300_000, 700_000]) {
        const decoded = await decodeContent(encode(LARGE), name, { ...LIMITS, maxBytes });
        assert.equal(brief(decoded), `${maxBytes} length`);
      }
      assert.equal(brief(await decodeContent(encode(SMALL), name, { ...LIMITS, maxBytes: 20_000 })), '20000 whole');
      assert.equal(brief(await decodeContent(encode(SMALL), name, { ...LIMITS, maxBytes: 19_999 })), '19999 length');
    });

    test(`${name}: bombs are recognised by their ratio, whatever their size`, async () => {
      const bomb = encode(Buffer.alloc(4_000_000));
      assert.equal(brief(await decodeContent(bomb, name, LIMITS)), 'encoding-bomb');
      // The cap would be reached first, were the ratio taken over all of the input.
      const padded = Buffer.concat([bomb, Buffer.alloc(200_000)]);
      assert.equal(brief(await decodeContent(padded, name, LIMITS)), 'encoding-bomb');
    });

    test(`${name}: garbage is invalid`, async () => {
      assert.equal(
        brief(await decodeContent(Buffer.from('<html>this is not compressed'), name, LIMITS)),
        'encoding-invalid',
      );
    });
  }

  test('deflate without the zlib wrapping', async () => {
    assert.equal(brief(await decodeContent(deflateRawSync(SMALL), 'deflate', LIMITS)), '20000 whole');
    assert.equal(brief(await decodeContent(deflateRawSync(LARGE), 'deflate', LIMITS)), '1000000 whole');
  });

  test('two layers are undone, the outer first; three are not', async () => {
    const twice = brotliCompressSync(gzipSync(SMALL));
    const decoded = await decodeContent(twice, 'gzip, br', LIMITS);
    assert.ok(decoded.kind === 'decoded' && SMALL.equals(decoded.body));
    assert.equal(brief(await decodeContent(gzipSync(twice), 'gzip, br, gzip', LIMITS)), 'encoding-invalid');
  });

  test('bombs inside layers', async () => {
    const nested = gzipSync(gzipSync(Buffer.alloc(20_000_000)));
    assert.equal(brief(await decodeContent(nested, 'gzip, gzip', LIMITS)), 'encoding-bomb');
  });

  test('no coding, the same array', () => {
    for (const header of ['', 'identity', ' Identity , none,']) {
      const decoded = decodeContent(SMALL, header, LIMITS);
      assert.ok(!(decoded instanceof Promise) && decoded.kind === 'decoded');
      assert.equal(decoded.body, SMALL);
    }
  });

  test('unknown codings are refused, empty bodies are not', async () => {
    assert.equal(brief(await decodeContent(SMALL, 'compress', LIMITS)), 'encoding-invalid');
    assert.equal(brief(await decodeContent(SMALL, 'gzip, aes128gcm', LIMITS)), 'encoding-invalid');
    assert.equal(brief(await decodeContent(new Uint8Array(0), 'gzip', LIMITS)), '0 whole');
  });

  test('gzip followed by garbage, or with a wrong checksum, is shown as browsers show it', async () => {
    for (const whole of [SMALL, LARGE]) {
      const encoded = gzipSync(whole);
      const trailing = Buffer.concat([encoded, Buffer.from('garbage')]);
      assert.equal(brief(await decodeContent(trailing, 'gzip', LIMITS)), `${whole.length} whole`);
      const wrong = Buffer.from(encoded);
      wrong[wrong.length - 6] ^= 0xff;
      assert.equal(brief(await decodeContent(wrong, 'gzip', LIMITS)), `${whole.length} whole`);
    }
    const members = Buffer.concat([gzipSync(SMALL), gzipSync(SMALL)]);
    assert.equal(brief(await decodeContent(members, 'gzip', LIMITS)), '40000 whole');
  });

  test('any bytes at all end in a result', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom('gzip', 'deflate', 'br', 'zstd'),
        async (bytes, coding) => {
          const gzipLike = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0x1f]), bytes]);
          for (const input of [bytes, gzipLike]) {
            const decoded = await decodeContent(input, coding, LIMITS);
            assert.ok(decoded.kind === 'decoded' || decoded.code === 'encoding-invalid');
          }
        },
      ),
    );
  });
});

describe('size caps', () => {
  test('the most precise entry counts', () => {
    const caps = new SizeCaps(10, { 'application/pdf': 50, 'image/*': 2, 'Image/SVG+xml': 7 });
    assert.equal(caps.capFor(undefined), 10);
    assert.equal(caps.capFor('text/html; charset=utf-8'), 10);
    assert.equal(caps.capFor(' Application/PDF ;x=y'), 50);
    assert.equal(caps.capFor('image/png'), 2);
    assert.equal(caps.capFor('image/svg+xml'), 7);
    assert.equal(new SizeCaps(10, { '*/*': 4 }).capFor('text/html'), 4);
  });
});
