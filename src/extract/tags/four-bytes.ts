/** A byte four times, to be looked for by `holds`. */
export function fourTimes(byte: number): number {
  return Math.imul(byte, 0x01010101);
}

/** Whether one of the four bytes is the one that `wanted` has four times: it becomes 0, and of 0 alone a borrow reaches the highest bit. */
export function holds(four: number, wanted: number): boolean {
  const others = four ^ wanted;
  return ((others - 0x01010101) & ~others & 0x80808080) !== 0;
}
