import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';

export interface DecodingLimits {
  /** More output than this is cut off. */
  readonly maxBytes: number;
  /** Output per byte of input, from which on it is a bomb. */
  readonly maxRatio: number;
}

export type Decoded =
  | { readonly kind: 'decoded'; readonly body: Uint8Array; readonly truncated?: 'length' | 'disconnect' }
  | { readonly kind: 'failed'; readonly code: 'encoding-invalid' | 'encoding-bomb'; readonly detail: string };

type Coding = 'gzip' | 'deflate' | 'br' | 'zstd';
type Engine = Coding | 'inflate-raw';

const MAX_LAYERS = 2;
/** The ratio of less output than this says nothing: a page of one repeated line is no attack. */
const RATIO_FLOOR_BYTES = 1024 * 1024;
/** Within these, decoding in one go takes about a millisecond and costs half of what a stream does. */
const AT_ONCE_INPUT_BYTES = 64 * 1024;
const AT_ONCE_OUTPUT_BYTES = 512 * 1024;
const STREAM_CHUNK_BYTES = 64 * 1024;

const NAMES: ReadonlyMap<string, Coding | 'identity'> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['x-deflate', 'deflate'],
  ['br', 'br'],
  ['zstd', 'zstd'],
  ['identity', 'identity'],
  ['none', 'identity'],
]);

/** No server needs a larger window than the 8 MiB that RFC 8878 asks decoders to support. */
const ZSTD_OPTIONS = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

/**
 * Undoes the codings named in a Content-Encoding header, the one applied last first. Small bodies are decoded at once
 * (the result is then no promise), others as streams off the main thread; neither ever holds more than `maxBytes`.
 * Input that ends too early yields what there is, marked as truncated.
 */
export function decodeContent(raw: Uint8Array, header: string, limits: DecodingLimits): Decoded | Promise<Decoded> {
  const codings = parseCodings(header);
  if (typeof codings === 'string') return invalid(codings);
  if (codings.length === 0 || raw.length === 0) return { kind: 'decoded', body: raw };
  if (codings.length > MAX_LAYERS) return invalid(`${codings.length} layers of content coding`);
  return decodeLayers(raw, codings.reverse(), 0, limits, raw.length, undefined);
}

/** In the order they were applied; a text when one of them is unknown. */
function parseCodings(header: string): Coding[] | string {
  const codings: Coding[] = [];
  for (const part of header.split(',')) {
    const name = part.trim().toLowerCase();
    if (name === '') continue;
    const coding = NAMES.get(name);
    if (coding === undefined) return `unknown content coding "${name.slice(0, 40)}"`;
    if (coding !== 'identity') codings.push(coding);
  }
  return codings;
}

function decodeLayers(
  input: Uint8Array,
  codings: readonly Coding[],
  layer: number,
  limits: DecodingLimits,
  received: number,
  truncated: 'length' | 'disconnect' | undefined,
): Decoded | Promise<Decoded> {
  if (layer === codings.length) return { kind: 'decoded', body: input, truncated };
  const next = (result: Decoded): Decoded | Promise<Decoded> =>
    result.kind === 'failed'
      ? result
      : decodeLayers(result.body, codings, layer + 1, limits, received, truncated ?? result.truncated);
  const coding = codings[layer];
  const result =
    (input.length <= AT_ONCE_INPUT_BYTES ? decodeAtOnce(input, coding, limits, received) : undefined) ??
    decodeStream(input, coding, limits, received);
  return result instanceof Promise ? result.then(next) : next(result);
}

/** Undefined when the output would be too large for this way. */
function decodeAtOnce(
  input: Uint8Array,
  coding: Coding,
  limits: DecodingLimits,
  received: number,
): Decoded | undefined {
  const maxOutputLength = Math.min(AT_ONCE_OUTPUT_BYTES, limits.maxBytes);
  let engine = engineFor(coding, input);
  for (;;) {
    try {
      return checked(run(engine, input, maxOutputLength, false), undefined, limits, received);
    } catch (error) {
      const code = (error as { code?: string }).code;
      if (code === 'ERR_BUFFER_TOO_LARGE') return undefined;
      if (code === 'Z_BUF_ERROR') {
        try {
          return checked(run(engine, input, maxOutputLength, true), 'disconnect', limits, received);
        } catch (inner) {
          const innerCode = (inner as { code?: string }).code;
          return innerCode === 'ERR_BUFFER_TOO_LARGE' ? undefined : invalid(`${coding}: ${innerCode}`);
        }
      }
      const plain = engine === 'gzip' ? deflateDataOfGzip(input) : undefined;
      if (plain === undefined) return invalid(`${coding}: ${code}`);
      input = plain;
      engine = 'inflate-raw';
    }
  }
}

function checked(
  body: Uint8Array,
  truncated: 'disconnect' | undefined,
  limits: DecodingLimits,
  received: number,
): Decoded {
  return isBomb(body.length, received, limits) ? bomb(body.length, received) : { kind: 'decoded', body, truncated };
}

function run(engine: Engine, input: Uint8Array, maxOutputLength: number, partial: boolean): Buffer {
  const finishFlush = partial ? constants.Z_SYNC_FLUSH : constants.Z_FINISH;
  switch (engine) {
    case 'gzip':
      return gunzipSync(input, { maxOutputLength, finishFlush });
    case 'deflate':
      return inflateSync(input, { maxOutputLength, finishFlush });
    case 'inflate-raw':
      return inflateRawSync(input, { maxOutputLength, finishFlush });
    case 'br':
      return brotliDecompressSync(input, {
        maxOutputLength,
        finishFlush: partial ? constants.BROTLI_OPERATION_FLUSH : constants.BROTLI_OPERATION_FINISH,
      });
    case 'zstd':
      return zstdDecompressSync(input, {
        ...ZSTD_OPTIONS,
        maxOutputLength,
        finishFlush: partial ? constants.ZSTD_e_flush : constants.ZSTD_e_end,
      });
  }
}

async function decodeStream(
  input: Uint8Array,
  coding: Coding,
  limits: DecodingLimits,
  received: number,
): Promise<Decoded> {
  const engine = engineFor(coding, input);
  const result = await stream(engine, input, limits, received);
  if (engine !== 'gzip' || result.kind === 'decoded' || result.code === 'encoding-bomb') return result;
  const plain = deflateDataOfGzip(input);
  return plain === undefined ? result : stream('inflate-raw', plain, limits, received);
}

function stream(engine: Engine, input: Uint8Array, limits: DecodingLimits, received: number): Promise<Decoded> {
  return new Promise((resolve) => {
    const decoder = createDecoder(engine);
    const pieces: Buffer[] = [];
    let size = 0;
    const end = (result: Decoded): void => {
      decoder.destroy();
      resolve(result);
    };
    const kept = (truncated?: 'length' | 'disconnect'): Decoded => ({
      kind: 'decoded',
      body: pieces.length === 1 ? pieces[0] : Buffer.concat(pieces, size),
      truncated,
    });
    decoder.on('data', (piece: Buffer) => {
      size += piece.length;
      if (isBomb(size, decoder.bytesWritten, limits) || isBomb(size, received, limits)) {
        return end(bomb(size, decoder.bytesWritten));
      }
      if (size <= limits.maxBytes) return pieces.push(piece);
      pieces.push(piece.subarray(0, piece.length - (size - limits.maxBytes)));
      size = limits.maxBytes;
      return end(kept('length'));
    });
    decoder.on('end', () => end(kept()));
    decoder.on('error', (error: NodeJS.ErrnoException) => {
      end(error.code === 'Z_BUF_ERROR' ? kept('disconnect') : invalid(`${engine}: ${error.code}`));
    });
    decoder.end(input);
  });
}

function createDecoder(engine: Engine) {
  const options = { chunkSize: STREAM_CHUNK_BYTES };
  switch (engine) {
    case 'gzip':
      return createGunzip(options);
    case 'deflate':
      return createInflate(options);
    case 'inflate-raw':
      return createInflateRaw(options);
    case 'br':
      return createBrotliDecompress(options);
    case 'zstd':
      return createZstdDecompress({ ...ZSTD_OPTIONS, ...options });
  }
}

/** "deflate" means the zlib format, but some servers send the bare data; the two header bytes of zlib tell. */
function engineFor(coding: Coding, input: Uint8Array): Engine {
  if (coding !== 'deflate') return coding;
  const zlibHeader = (input[0] & 0x0f) === 8 && ((input[0] << 8) | (input[1] ?? 0)) % 31 === 0;
  return zlibHeader ? 'deflate' : 'inflate-raw';
}

/** The data behind a gzip header, for bodies with garbage or a wrong checksum at the end, which browsers show. */
function deflateDataOfGzip(input: Uint8Array): Uint8Array | undefined {
  if (input.length < 18 || input[0] !== 0x1f || input[1] !== 0x8b || input[2] !== 8) return undefined;
  const flags = input[3];
  let at = 10;
  if (flags & 4) at += 2 + input[at] + (input[at + 1] << 8);
  if (flags & 8) at = input.indexOf(0, at) + 1;
  if (flags & 16) at = input.indexOf(0, at) + 1;
  if (flags & 2) at += 2;
  return at >= 10 && at < input.length ? input.subarray(at) : undefined;
}

function isBomb(output: number, input: number, limits: DecodingLimits): boolean {
  return output > RATIO_FLOOR_BYTES && output > Math.max(1, input) * limits.maxRatio;
}

function bomb(output: number, input: number): Decoded {
  return { kind: 'failed', code: 'encoding-bomb', detail: `${output} bytes out of ${input}` };
}

function invalid(detail: string): Decoded {
  return { kind: 'failed', code: 'encoding-invalid', detail };
}
