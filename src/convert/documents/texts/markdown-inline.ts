import { bareLinks } from './bare-links.ts';

/** Longer texts and addresses of links are read as ordinary characters. */
const MAX_LABEL = 1_000;
const MAX_TARGET = 2_000;
/** After this many brackets of one paragraph that are no links the rest are taken for text. */
const MAX_UNCLOSED = 1_000;

/** Start of the area of characters without meaning. */
const GUARD = 0xe000;
const MARKS_BUT_BRACKETS = '\\`<';
const MARKS = `${MARKS_BUT_BRACKETS}[!`;

/** Where `[text][name]` leads, by name in lower case. */
export type MarkdownReferences = ReadonlyMap<string, string>;

/** The words of a line of Markdown without its marks; links are told as they come. */
export function plainInline(
  text: string,
  references: MarkdownReferences,
  link: (url: string, text: string) => void,
): string {
  const plain = withoutEmphasis(inline(text, references, (url, words) => link(url, literal(withoutEmphasis(words)))));
  return literal(plain);
}

/** Emphasis is still in it; stars and underscores that are none are guarded. */
function inline(text: string, references: MarkdownReferences, link: (url: string, text: string) => void): string {
  let plain = '';
  let at = 0;
  let unclosed = 0;
  while (at < text.length) {
    const char = text[at];
    if (char === '\\' && /[!-/:-@[-`{-~]/.test(text[at + 1] ?? '')) {
      plain += guarded(text[at + 1]);
      at += 2;
    } else if (char === '`') {
      const ticks = /^`+/.exec(text.slice(at, at + 50))?.[0] ?? '`';
      const end = text.indexOf(ticks, at + ticks.length);
      plain += end < 0 ? ticks : guarded(text.slice(at + ticks.length, end));
      at = end < 0 ? at + ticks.length : end + ticks.length;
    } else if (char === '<') {
      const [words, next] = angle(text, at, link);
      plain += words;
      at = next;
    } else if (unclosed < MAX_UNCLOSED && (char === '[' || (char === '!' && text[at + 1] === '['))) {
      const found = bracket(text, at, references, link);
      if (found === undefined) unclosed++;
      plain += found === undefined ? char : found.words;
      at = found === undefined ? at + 1 : found.next;
    } else {
      const next = nextMark(text, at + 1, unclosed < MAX_UNCLOSED ? MARKS : MARKS_BUT_BRACKETS);
      plain += text.slice(at, next);
      at = next;
    }
  }
  for (const url of bareLinks(plain)) link(url, '');
  return plain;
}

/** Code and escaped characters keep their stars: as characters that no text has, until the emphasis is gone. */
function guarded(text: string): string {
  return text.replace(/[*_~]/g, (char) => String.fromCharCode(GUARD + char.charCodeAt(0)));
}

function literal(text: string): string {
  return text.replace(/[\ue02a\ue05f\ue07e]/g, (char) => String.fromCharCode(char.charCodeAt(0) - GUARD));
}

function nextMark(text: string, from: number, marks: string): number {
  let at = from;
  while (at < text.length && !marks.includes(text[at])) at++;
  return at;
}

/** `<http://host>`, a tag, or just a character. */
function angle(text: string, at: number, link: (url: string, text: string) => void): [string, number] {
  // Within a window: looking on to the end for each character of many would take for ever.
  const end = at + text.slice(at, at + MAX_TARGET).indexOf('>');
  if (end < at) return ['<', at + 1];
  const inside = text.slice(at + 1, end);
  if (/^(?:https?|ftp):\S+$/i.test(inside)) {
    link(inside, '');
    return [inside, end + 1];
  }
  if (/^[^\s@]+@[^\s@]+$/.test(inside)) return [inside, end + 1];
  if (!/^(?:\/?[a-z]|!--)/i.test(inside)) return ['<', at + 1];
  const href = /^a\s[^>]*?\bhref\s*=\s*["']?([^"'\s>]+)/i.exec(inside)?.[1];
  if (href !== undefined) {
    const [words] = text.slice(end + 1, end + MAX_LABEL).split('</a', 1);
    link(href, words.replace(/<[^<>]*>/g, ' '));
  }
  return [/^br\b/i.test(inside) ? ' ' : '', end + 1];
}

/** `[text](target)`, `[text][name]`, `[name]`, and the same as images, of which only the text stays. */
function bracket(
  text: string,
  at: number,
  references: MarkdownReferences,
  link: (url: string, text: string) => void,
): { readonly words: string; readonly next: number } | undefined {
  const image = text[at] === '!';
  const open = image ? at + 1 : at;
  const close = closing(text, open);
  if (close === undefined) return undefined;
  let target: string | undefined;
  let next = close + 1;
  if (text[next] === '(') {
    const end = closing(text, next);
    if (end === undefined) return undefined;
    target = /^\s*(?:<([^>]*)>|([^\s]*))/
      .exec(text.slice(next + 1, end))
      ?.slice(1)
      .join('');
    next = end + 1;
  } else {
    const named = /^\s?\[([^\]]{0,200})\]/.exec(text.slice(next, next + 210));
    const name = (named?.[1] || text.slice(open + 1, close)).toLowerCase();
    target = references.get(name);
    if (target === undefined) return undefined;
    next += named?.[0].length ?? 0;
  }
  // Only now: reading the text of what turns out to be no link would read it once more for each bracket around it.
  const words = inline(text.slice(open + 1, close), references, link);
  if (target !== undefined && target !== '' && !image) link(target, words);
  return { words, next };
}

/** The bracket that closes the one at `open`. */
function closing(text: string, open: number): number | undefined {
  const opens = text[open];
  const closes = opens === '[' ? ']' : ')';
  let depth = 0;
  for (let at = open; at < text.length && at - open < MAX_LABEL + MAX_TARGET; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === opens) depth++;
    else if (text[at] === closes && --depth === 0) return at;
  }
  return undefined;
}

/** Stars and underscores around words; those inside of words stay. */
function withoutEmphasis(text: string): string {
  if (!/[*_~]/.test(text)) return text;
  return text
    .replace(/(^|[\s([{"'“‘>—–-])[*_~]{1,3}(?=\S)/g, '$1')
    .replace(/(\S)[*_~]{1,3}(?=$|[\s)\]}"'”’.,;:!?<—–-])/g, '$1');
}
