/** A table of numbers as a short text, each rounded to a step; those beyond 16 bits are cut off. */
export function packNumbers(values: Float32Array, step: number): string {
  const rounded = new Int16Array(values.length);
  for (let at = 0; at < values.length; at++)
    rounded[at] = Math.max(-0x8000, Math.min(0x7fff, Math.round(values[at] / step)));
  return Buffer.from(rounded.buffer).toString('base64');
}

/** The table again, or undefined where the text is not one of its length. */
export function unpackNumbers(text: unknown, length: number, step: number): Float32Array<ArrayBuffer> | undefined {
  if (typeof text !== 'string') return undefined;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 2 * length) return undefined;
  const values = new Float32Array(length);
  for (let at = 0; at < length; at++) values[at] = bytes.readInt16LE(2 * at) * step;
  return values;
}
