import type { ScorePart } from '../../contracts/search-index.ts';

/** A score and what it is made of, one part on a line, the parts of a part further in. */
export function formatScore(score: ScorePart): string {
  return linesOf(score, 0).join('\n');
}

function linesOf({ what, value, parts = [] }: ScorePart, depth: number): string[] {
  const line = `${'  '.repeat(depth)}${number(value).padStart(8)}  ${what}`;
  // The heaviest first: that is what the reader wants to know.
  const inner = [...parts].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  return [line, ...inner.flatMap((part) => linesOf(part, depth + 1))];
}

function number(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 1e6 ? value.toExponential(3) : value.toFixed(3);
}
