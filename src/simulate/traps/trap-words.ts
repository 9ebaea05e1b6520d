import { WORDS } from '../markup/word-lists.ts';
import { hash32 } from '../model/seeded-hash.ts';

const PURPOSE = 140;

/** What everything in a trap follows from. */
export interface TrapRequest {
  readonly seed: number;
  readonly host: number;
  /** Path and query as sent. */
  readonly target: string;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** 32 hexadecimal digits that follow from the address, so that each step leads to a new one. */
export function hex({ seed, host, target }: TrapRequest, salt: number): string {
  const base = textHash(target);
  return [0, 1, 2, 3]
    .map((word) =>
      hash32(seed ^ base, host, salt * 4 + word, PURPOSE)
        .toString(16)
        .padStart(8, '0'),
    )
    .join('');
}

export function phrase({ seed, host, target }: TrapRequest, salt: number, count: number): string {
  const base = textHash(target);
  return Array.from(
    { length: count },
    (_, at) => WORDS[hash32(seed ^ base, host, salt + at, PURPOSE) % WORDS.length],
  ).join(' ');
}

/** A phrase that looks written: sentences of six to seventeen words. */
export function sentences(request: TrapRequest, salt: number, count: number): string {
  const words = phrase(request, salt, count).split(' ');
  let text = '';
  for (let at = 0; at < words.length; ) {
    const length = 6 + (hash32(request.seed, request.host, salt + at, PURPOSE) % 12);
    const sentence = words.slice(at, at + length).join(' ');
    text += `${text === '' ? '' : ' '}${sentence[0].toUpperCase()}${sentence.slice(1)}.`;
    at += length;
  }
  return text;
}

export function textHash(text: string): number {
  let hash = 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) + 0x9e3779b9;
  return hash >>> 0;
}
