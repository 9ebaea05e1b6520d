import { diffSequences } from './sequence-diff.ts';

export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** A paragraph of the two texts laid over each other. */
export type DiffBlock =
  | { readonly kind: 'same' | 'removed' | 'added'; readonly text: string }
  /** It was rewritten in part. */
  | { readonly kind: 'changed'; readonly parts: readonly DiffPart[] };

/** Rewritten paragraphs share at least so much of their words; else one went and another came. */
const ALIKE = 0.4;
/** Longer runs of changed paragraphs are not searched for pairs. */
const MAX_RUN = 60;
/** Longer paragraphs are shown as replaced: nobody reads a hundred thousand marked words. */
const MAX_WORDS = 20_000;

/** What changed from one text to the other: by paragraphs, and by words within those that were rewritten. */
export function textDiff(before: string, after: string): DiffBlock[] {
  const old = paragraphsOf(before);
  const young = paragraphsOf(after);
  const blocks: DiffBlock[] = [];
  let removed: string[] = [];
  for (const { kind, from, to } of diffSequences(old, young)) {
    if (kind === 'removed') {
      removed = old.slice(from, to);
      continue;
    }
    const texts = young.slice(from, to);
    if (kind === 'added') blocks.push(...replaced(removed, texts));
    else blocks.push(...gone(removed), ...texts.map((text) => ({ kind, text })));
    removed = [];
  }
  blocks.push(...gone(removed));
  return blocks;
}

/** The words of two paragraphs laid over each other; white space belongs to the word before it. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const old = wordsOf(before);
  const young = wordsOf(after);
  return diffSequences(old, young).map(({ kind, from, to }) => ({
    kind,
    text: (kind === 'removed' ? old : young).slice(from, to).join(''),
  }));
}

function paragraphsOf(text: string): string[] {
  return text
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Words with what follows them; scripts without spaces go by character. */
function wordsOf(text: string): string[] {
  return (
    text.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}]+\s*|\s+|[^\s]\s*/gu,
    ) ?? []
  );
}

function gone(texts: readonly string[]): DiffBlock[] {
  return texts.map((text) => ({ kind: 'removed', text }));
}

/** Of paragraphs that went and paragraphs that came in their place: which are the same, rewritten? In order, none crossing. */
function replaced(removed: readonly string[], added: readonly string[]): DiffBlock[] {
  const blocks: DiffBlock[] = [];
  let next = 0;
  const searched = removed.length <= MAX_RUN && added.length <= MAX_RUN;
  const bags = searched ? added.map(bagOf) : [];
  for (const text of removed) {
    const bag = searched ? bagOf(text) : undefined;
    const found = bag === undefined ? -1 : bags.findIndex((other, at) => at >= next && similarity(bag, other) >= ALIKE);
    if (found < 0) {
      blocks.push({ kind: 'removed', text });
      continue;
    }
    while (next < found) blocks.push({ kind: 'added', text: added[next++] });
    blocks.push({ kind: 'changed', parts: wordDiff(text, added[next++]) });
  }
  while (next < added.length) blocks.push({ kind: 'added', text: added[next++] });
  return blocks;
}

interface Bag {
  readonly counts: ReadonlyMap<string, number>;
  readonly size: number;
}

function bagOf(text: string): Bag {
  const words = wordsOf(text);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word.trim(), (counts.get(word.trim()) ?? 0) + 1);
  return { counts, size: words.length };
}

/** Dice's coefficient. */
function similarity(one: Bag, other: Bag): number {
  if (one.size === 0 || one.size > MAX_WORDS || other.size > MAX_WORDS) return 0;
  let shared = 0;
  for (const [word, count] of one.counts) shared += Math.min(count, other.counts.get(word) ?? 0);
  return (2 * shared) / (one.size + other.size);
}
