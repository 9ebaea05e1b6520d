/** For what never changes and is costly to make: made when it is first asked for, one for all who ask in a thread. */
export function madeOnce<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
