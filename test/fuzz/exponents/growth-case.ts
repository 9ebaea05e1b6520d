/** An input that can be made of any size, and what reads it. */
export interface GrowthCase {
  readonly parser: string;
  /** What grows. */
  readonly grows: string;
  /** Smallest size, in whatever `make` counts; eight times as much is the largest. */
  readonly from: number;
  /** The work to be timed over an input of this size. */
  make(size: number): () => unknown;
}

/** A case over a text that is repeated. */
export function repeated(
  parser: string,
  run: (text: string) => unknown,
  texts: Readonly<Record<string, readonly [piece: string, before?: string, after?: string]>>,
  bytes = 16_384,
): GrowthCase[] {
  return Object.entries(texts).map(([grows, [piece, before = '', after = '']]) => ({
    ...{ parser, grows, from: Math.max(1, Math.floor(bytes / piece.length)) },
    make: (size) => {
      // Joined through bytes: a text that was repeated is a tree of parts, and reading it would make it flat first.
      const text = Buffer.from(before + piece.repeat(size) + after).toString();
      return () => run(text);
    },
  }));
}
