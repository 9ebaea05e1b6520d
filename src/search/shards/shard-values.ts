/** Something that came over the network, and that no machine of this protocol sends. */
export class BadShardMessage extends Error {}

export function objectOf(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new BadShardMessage('an object is missing in it');
}

export function listOf(value: unknown, most: number): readonly unknown[] {
  if (Array.isArray(value) && value.length <= most) return value;
  throw new BadShardMessage('a list in it is missing or too long');
}

export function textOf(value: unknown, longest: number): string {
  if (typeof value === 'string' && value.length <= longest) return value;
  throw new BadShardMessage('a text in it is missing or too long');
}

/** From 0 to `most`. */
export function wholeOf(value: unknown, most: number): number {
  if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most) return value as number;
  throw new BadShardMessage('a number in it is missing or out of bounds');
}

export function finiteOf(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new BadShardMessage('a number in it is missing');
}

export function booleanOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new BadShardMessage('a yes or no in it is missing');
}
