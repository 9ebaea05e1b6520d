import { createHash } from 'node:crypto';
import { Sketcher } from '../../../../src/dedupe/near/sketcher.ts';
import type { SoftVisit } from '../../../../src/dedupe/soft-not-found/soft-not-found.ts';

const maker = new Sketcher();

/** A page as the learner is told of it. */
export function pageAt(url: string, title: string, text: string, more: Partial<SoftVisit> = {}): SoftVisit {
  const contentSketch = maker.of(text);
  return {
    host: new URL(url).host,
    url,
    status: 200,
    title,
    digest: createHash('sha1').update(`${title}\n${text}`).digest('hex'),
    words: text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0,
    opening: text.slice(0, 400),
    ...(contentSketch === undefined ? {} : { contentSketch }),
    ...more,
  };
}

const SYLLABLES = 'ba ke li mo nu ra se ti vo zu pla stri gre fno'.split(' ');

/** Made-up words that depend on the number. */
export function prose(seed: number, words: number): string {
  const random = chance(seed * 7919 + 13);
  const syllable = (): string => SYLLABLES[Math.floor(random() * SYLLABLES.length)];
  return Array.from({ length: words }, () => syllable() + syllable() + syllable()).join(' ');
}

/** Numbers that look like chance and are not. */
export function chance(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
