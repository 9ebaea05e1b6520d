/** For one more in a map or set that must not grow for ever: where it is full, the oldest goes. */
export function makeRoom<T extends Map<unknown, unknown> | Set<unknown>>(kept: T, most: number): T {
  if (kept.size >= most) kept.delete(kept.keys().next().value);
  return kept;
}
