import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
  zstdDecompressSync,
} from 'node:zlib';

/** More layers than this is an attack, not a page. */
const MAX_LAYERS = 4;
const MAX_BYTES = 1024 ** 3;

/** The names in a Content-Encoding header that stand for a coding, in the order in which they were applied. */
export function contentCodings(header: string | undefined): string[] {
  if (header === undefined) return [];
  return header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
}

/** The body without its content coding; what can be decoded of a cut one; unchanged where it cannot be decoded. */
export function decodeContent(raw: Buffer, codings: readonly string[], maxBytes = MAX_BYTES): Buffer {
  if (codings.length === 0 || codings.length > MAX_LAYERS || raw.length === 0) return raw;
  try {
    return codings.reduceRight((bytes, coding) => decodeLayer(bytes, coding, maxBytes), raw);
  } catch {
    return raw;
  }
}

function decodeLayer(bytes: Buffer, coding: string, maxOutputLength: number): Buffer {
  const zlib: ZlibOptions = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH };
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return gunzipSync(bytes, zlib);
    case 'deflate':
      // The standard means zlib's format; many servers send bare deflate.
      return hasZlibHeader(bytes) ? inflateSync(bytes, zlib) : inflateRawSync(bytes, zlib);
    case 'br':
      return brotliDecompressSync(bytes, { maxOutputLength, finishFlush: constants.BROTLI_OPERATION_FLUSH });
    case 'zstd':
      return zstdDecompressSync(bytes, { maxOutputLength, finishFlush: constants.ZSTD_e_flush });
    default:
      throw new RangeError(`unknown content coding ${coding}`);
  }
}

function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && (bytes[0] & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}
