import type { FetchRequest } from '../../contracts/fetcher.ts';
import { type Decoded, type DecodingLimits, decodeContent } from './content-decoding.ts';
import type { ReceivedBody } from './received-body.ts';

export interface Codings {
  /** Transfer codings that are left, in the order they were applied. */
  readonly transfer: readonly string[];
  /** The Content-Encoding header. */
  readonly content: string | undefined;
}

export interface Unpacked {
  /** Transfer coding undone, content coding kept. */
  readonly raw: Uint8Array;
  readonly decoded: Decoded;
}

/** Smaller bodies need no leave: they are read at once. */
const LARGE = 512 * 1024;
/** Few pages unpack to more than this many times their size. */
const USUAL_RATIO = 8;

/**
 * A received body in memory, codings undone; at once where it can be done at once. A large one waits for `admit` first. How large
 * a coded one gets shows only as it is unpacked: it is tried with what is usual, and again with all that the cap allows.
 */
export function unpackBody(
  received: ReceivedBody,
  codings: Codings,
  limits: DecodingLimits,
  admit: FetchRequest['admit'],
): Unpacked | Promise<Unpacked> {
  const { size } = received;
  const layers = codings.transfer.length + (codings.content?.split(',').length ?? 0);
  if (admit === undefined) return unpack(received.take(), codings, limits);
  // More than two are refused at once, or are names of no coding.
  const isCoded = layers === 1 || layers === 2;
  const isLarge = (isCoded ? USUAL_RATIO * size : size) > LARGE;
  const maxBytes = isCoded ? Math.min(limits.maxBytes, Math.max(LARGE, size * USUAL_RATIO)) : limits.maxBytes;
  const tryUsual = (): Unpacked | Promise<Unpacked> => {
    const bytes = received.take();
    const retry = (unpacked: Unpacked): Unpacked | Promise<Unpacked> =>
      maxBytes < limits.maxBytes && wasCut(unpacked, layers)
        ? admit(size + layers * limits.maxBytes).then(() => unpack(bytes, codings, limits))
        : unpacked;
    return then(unpack(bytes, codings, { ...limits, maxBytes }), retry);
  };
  return isLarge ? admit(size + (isCoded ? layers * maxBytes : 0)).then(tryUsual) : tryUsual();
}

/** What is cut within the first of two layers looks broken to the second. */
function wasCut({ decoded }: Unpacked, layers: number): boolean {
  return decoded.kind === 'decoded'
    ? decoded.truncated === 'length'
    : layers === 2 && decoded.code === 'encoding-invalid';
}

function unpack(
  received: Uint8Array,
  { transfer, content }: Codings,
  limits: DecodingLimits,
): Unpacked | Promise<Unpacked> {
  const undoContent = (raw: Uint8Array): Unpacked | Promise<Unpacked> =>
    content === undefined
      ? { raw, decoded: { kind: 'decoded', body: raw } }
      : then(decodeContent(raw, content, limits), (decoded) => ({ raw, decoded }));
  if (transfer.length === 0) return undoContent(received);
  return then(decodeContent(received, transfer.join(','), limits), (undone) =>
    undone.kind === 'failed' ? { raw: received, decoded: undone } : undoContent(undone.body),
  );
}

function then<T, Next>(value: T | Promise<T>, next: (value: T) => Next | Promise<Next>): Next | Promise<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}
