import { fingerprint } from '../base/fingerprint.ts';
import type { RenderSigns } from '../contracts/content/renderer.ts';
import type { CanonicalUrl } from '../contracts/url.ts';

/** What is looked at of a page: scripts and roots of applications stand early, or in what is left of a short page. */
const LOOKED_AT = 2 ** 19;
/** With fewer words a page has hardly anything to say. */
const FEW_WORDS = 40;
/** Beside a text of this length a request to turn scripts on is about something else. */
const SOME_WORDS = 200;
const INLINE_SHAPE = 300;

// Each of these takes time in proportion to the text, whatever it is: what may run on is bounded, or ends where the next tag begins.
const SCRIPT = /<script\b([^<>]{0,2000})>([\s\S]*?)(?:<\/script\s*>|$)/gi;
const DATA_TYPE = /\btype\s*=\s*["']?(?:application|text)\/(?:(?:[\w.+-]*\+)?json|template|x-template|plain)/i;
const SOURCE = /\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;
const HANDLER = /\son(?:click|change|mousedown|keydown)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi;
const LEADS = /\blocation\b|window\.open|\b(?:navigate|goto|router|push|open)\w*\s*\(/i;
const LEAVES =
  /(?:^|[^\w.])(?:(?:window|document|self|top|parent)\.)?location(?:\.href)?\s*=[^=]|location\.(?:replace|assign)\s*\(/;
const EMPTY_ROOT =
  /<(?:div|main|section|body)\b[^<>]{0,200}\bid\s{0,3}=\s{0,3}["']?(?:root|app|application|__next|__nuxt|___gatsby|svelte|react-root|q-app|main-app|ember-app|mount)\b["']?[^<>]{0,200}>\s{0,100}(?:<!--[^<>]{0,200}-->\s{0,100})?<\/|<(?:app-root|my-app|[a-z]{1,30}-app)\b[^<>]{0,200}>\s{0,100}(?:Loading[^<]{0,20})?<\//i;
const DEMAND =
  /<noscript\b[^<>]{0,100}>[\s\S]{0,300}?(?:enable|activate|turn on|requires?|needs?|aktivier|activer|habilit)[\s\S]{0,100}?java\s?script/i;

/** What the markup of a page tells of its scripts; undefined where it has none, so that a browser would show just that. */
export function renderSigns(url: CanonicalUrl, markup: string): (RenderSigns & { readonly words: number }) | undefined {
  const text = markup.slice(0, LOOKED_AT);
  const scripts = scriptsOf(text);
  const handlers = handlersOf(text);
  if (scripts.length === 0 && handlers.length === 0) return undefined;
  const words = visibleWords(text);
  const strong = strongSign(text, words, scripts, handlers);
  return { url, strong, scripts: scriptsKey(scripts), words };
}

interface PageScript {
  readonly source: string;
  readonly code: string;
}

function scriptsOf(text: string): PageScript[] {
  const found: PageScript[] = [];
  for (const [, attributes, code] of text.matchAll(SCRIPT)) {
    if (DATA_TYPE.test(attributes)) continue;
    const source = SOURCE.exec(attributes);
    const path = source?.[1] ?? source?.[2] ?? source?.[3] ?? '';
    if (path !== '' || code.trim() !== '') found.push({ source: path.replace(/[?#].*$/s, ''), code });
  }
  return found;
}

function handlersOf(text: string): string[] {
  return Array.from(text.matchAll(HANDLER), ([, double, single, bare]) => double ?? single ?? bare ?? '');
}

function strongSign(text: string, words: number, scripts: readonly PageScript[], handlers: readonly string[]): string {
  if (words < FEW_WORDS && scripts.some(({ code }) => LEAVES.test(code))) return 'a script leads elsewhere';
  if (EMPTY_ROOT.test(text)) return 'the root of its application is empty';
  if (words < FEW_WORDS && scripts.length > 0) return `${words} words beside scripts`;
  if (words < SOME_WORDS && DEMAND.test(text)) return 'it asks for JavaScript';
  if (handlers.some((code) => LEADS.test(code))) return 'handlers lead elsewhere';
  return '';
}

/** What is left of the markup without tags, scripts and styles. */
export function visibleWords(markup: string): number {
  const text = markup
    .replace(/<(script|style|noscript|template|svg)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<!--[\s\S]*?(?:-->|$)|<[^<>]*>?/g, ' ');
  // Scripts without spaces between words: every character is one.
  return (
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]+/gu)?.length ?? 0
  );
}

/** The same for pages of one making: numbers and texts within scripts do not count. */
function scriptsKey(scripts: readonly PageScript[]): string {
  const shapes = scripts.map(({ source, code }) =>
    source === ''
      ? code
          .slice(0, 4 * INLINE_SHAPE)
          .replaceAll(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/g, '""')
          .replaceAll(/\d+/g, '0')
          .slice(0, INLINE_SHAPE)
      : source,
  );
  return fingerprint([...new Set(shapes)].sort().join('\n')).toString(36);
}
