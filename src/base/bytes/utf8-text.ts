import { madeOnce } from '../made-once.ts';

/** Bytes that a code unit takes at most. */
const WIDEST = 3;
/** Room for longer texts is not kept. */
const KEPT_BYTES = 2 ** 18;

const kept = madeOnce(() => Buffer.allocUnsafeSlow(KEPT_BYTES));

/**
 * A text that waits, in UTF-8 and in memory of its own beside the heap. A string of some 10 KB that lives for longer than two collections
 * of what is young is copied by each of them, and fills the heap until the next that is marked; and bytes need no copy to another thread.
 */
export function utf8Of(text: string): Uint8Array<ArrayBuffer> {
  // To write it twice takes less time than to find its length first.
  const room = text.length * WIDEST > KEPT_BYTES ? Buffer.allocUnsafeSlow(text.length * WIDEST) : kept();
  const length = room.write(text);
  const bytes = Buffer.allocUnsafeSlow(length);
  bytes.set(room.subarray(0, length));
  return bytes;
}

/** Reads such a text and gives its memory back, which the engine would do only when it collects what is old. */
export function takeUtf8({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): string {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString();
  buffer.transfer(0);
  return text;
}
