import { type ByteText, decodeBytes } from '../byte-text.ts';
import { BLOCK, RAW_TEXT } from '../element-traits.ts';
import { HtmlScanner } from '../html-scanner.ts';
import { collapse } from '../white-space.ts';
import { type Finding, Findings } from './findings.ts';
import { findDate } from './written-date.ts';

const MAX_FOUND = 40;
/** Longer texts are prose: a date in there is one that is told of, unless it comes first. */
const MAX_TEXT = 160;
/** As many bytes as tell a text of that length in any script, and some more. */
const MAX_BYTES = MAX_TEXT * 4;
/** Words before a date of publication. */
const TELLS = /publi|veröffentlicht|erstellt|posted|\bdatum|\bdate\b|written|créé|fecha/i;
/** The same, where an article can be meant: in running text a problem is fixed on a day. */
const TELLS_OF_ARTICLE = /(?:^|\W)(?:vom|am|on|online)\s*$/i;
const UPDATED =
  /updat|modif|aktualisi|geändert|\bstand\b|mis à jour|actualiz|atualiz|aggiornat|bijgewerkt|обновлен|revis|built|generated/i;
/** Blocks between a headline and its date; what follows the first long text is no byline. */
const BYLINE_BLOCKS = 8;
/** In running text a longer block tells of the date of something else. */
const LONGEST_DATELINE = 80;
const SAYS_AUTHOR = /^(?:authors?|written by|autor(?:in|en)?|verfasser(?:in)?|auteurs?)\s*:/i;
const SAYS_DATE =
  /^(?:(?:first|originally|release|publication) )?(?:published|posted|released|date|veröffentlicht|erstellt|publié|publicado)(?: on| at| am)?[\s:]*$/i;
const BYLINE =
  /^(?:.{0,40}[|•·,–-]\s*|[\d.:\s]{8,20}(?:uhr\s*)?)?(?:ein (?:artikel|beitrag|text|interview) von|ein gastbeitrag von|written by|story by|words by|von|by|par|por|di|door|av|autor(?:in|en)?|text|author|verfasser(?:in)?|auteur)\s*:?\s+(?<!\btext\s+)(\p{Lu}[\p{L}'’.-]+(?:\s+(?:von|van|de|der|den|la|le|al|el|di|da|dos|zu)(?=\s))?(?:\s+\p{Lu}[\p{L}'’.-]*){1,3})(?=$|\s*[,|•·–(\n-])/iu;
/** Keys of state that scripts keep, where a page is drawn by them. */
const DATE_KEYS =
  'datePublished publishedAt published_at publishDate publicationDate publishedDate publish_date published createdAt dateCreated'.split(
    ' ',
  );
/** How all of them begin: few pages have such a key at all. */
const KEY_BEGINNINGS = ['date', 'publi', 'creat'];

/**
 * Dates and bylines that stand bare in the text: a second reading, for pages that declare none. Only short blocks are looked
 * at; what follows the headline counts for more.
 */
export function textsOfPage(
  html: ByteText,
  kind: PageKind,
): {
  readonly dates: readonly Finding[];
  /** Dates that are said to be of the last change. */
  readonly updates: readonly Finding[];
  readonly bylines: readonly Finding[];
} {
  const findings = new Findings();
  const scanner = new HtmlScanner(html);
  scanner.wantsText = true;
  const state: ReadState = { block: '', afterHeadline: 0, blocksLeft: 0, begun: false, found: 0, kind };
  let foreign = false;
  for (let token = scanner.next(); token !== 'end' && state.found < MAX_FOUND; token = scanner.next()) {
    if (token === 'text') {
      if (!foreign && state.block.length <= MAX_TEXT * 2) state.block += beginning(scanner);
      continue;
    }
    if (scanner.name === 'svg') foreign = token === 'start-tag' && !scanner.selfClosing;
    if ((scanner.traits & BLOCK) !== 0)
      readBlock(state, findings, token === 'end-tag' && /^h[1-6]$/.test(scanner.name));
    if (scanner.name === 'h1' && token === 'end-tag' && state.afterHeadline === 0) {
      state.afterHeadline = 10;
      state.blocksLeft = BYLINE_BLOCKS;
    }
    if (token === 'start-tag' && !foreign && (scanner.traits & RAW_TEXT) !== 0) scanner.readRawText(scanner.name);
  }
  readBlock(state, findings, false);
  if (kind === 'article' && findings.best('published') === undefined) addFromScripts(html, findings);
  return { dates: findings.of('published'), updates: findings.of('modified'), bylines: findings.of('author') };
}

/** Of long texts the beginning tells that they are long, and whether a date stands there; white space is a blank. */
function beginning(scanner: HtmlScanner): string {
  const { html, textStart, textEnd } = scanner;
  let start = textStart;
  while (start < textEnd && html.charCodeAt(start) <= 0x20) start++;
  if (start === textEnd) return ' ';
  return textEnd - start <= MAX_BYTES ? scanner.text() : decodeBytes(html.slice(start, start + MAX_BYTES) as ByteText);
}

/** A date or a name in running reference is one that is told of; an article has a byline. */
export type PageKind = 'article' | 'document';

interface ReadState {
  block: string;
  /** What findings weigh more for standing after the headline. */
  afterHeadline: number;
  /** In which a bare date may be that of the article. */
  blocksLeft: number;
  /** Running text was met. */
  begun: boolean;
  found: number;
  readonly kind: PageKind;
}

function readBlock(state: ReadState, findings: Findings, heading: boolean): void {
  const { block } = state;
  state.block = '';
  const { begun } = state;
  if (!heading && block.length > MAX_TEXT && block.trim().length > MAX_TEXT) state.begun = true;
  // Most blocks are menus and prose: neither short nor with a date.
  if (block.length < 5 || (block.length > MAX_TEXT && !/\d/.test(block.slice(0, MAX_TEXT * 2)))) return;
  const text = collapse(block);
  if (text.length < 5) return;
  const inByline = state.kind === 'article' && state.blocksLeft-- > 0;
  if (text.length > MAX_TEXT) state.blocksLeft = 0;
  const near = inByline || (state.kind === 'article' && !begun);
  const byline = text.length > MAX_TEXT ? null : BYLINE.exec(text);
  if (
    byline !== null &&
    (state.kind === 'article' || SAYS_AUTHOR.test(text)) &&
    /^[\p{Lu}\d]/u.test(text) &&
    /^\p{Lu}/u.test(byline[1])
  ) {
    findings.add('author', byline[1], 'text', 10 + state.afterHeadline);
    state.found++;
  }
  const date =
    /\d\d/.test(text) || /[\u0660-\u0fff\uff10-\uff19]/.test(text) ? findDate(text.slice(0, MAX_TEXT)) : undefined;
  // A heading speaks of what follows, unless it tells the hour.
  const timed = date !== undefined && /^\D{0,3}\d{1,2}:\d{2}/.test(text.slice(date.end));
  if (date === undefined || (heading && !timed) || /©|copyright|\(c\)/i.test(text)) return;
  const first = date.start < 3;
  if (text.length > MAX_TEXT && !first) return;
  const alone = date.end - date.start >= text.length * 0.5;
  const before = text.slice(0, date.start);
  if (UPDATED.test(before)) {
    if (!begun || state.kind === 'document')
      findings.add('modified', text.slice(date.start, date.end + 30), 'text', 20);
    return;
  }
  const told =
    state.kind === 'article'
      ? (near && TELLS_OF_ARTICLE.test(before)) || ((near || text.length <= LONGEST_DATELINE) && TELLS.test(before))
      : SAYS_DATE.test(before);
  // Whoever writes nothing but a date into a block means that of the article.
  const bare = state.kind === 'article' && date.end - date.start >= text.length * 0.9;
  if (!told && !bare && !(near && (alone || first || timed)) && !(inByline && text.length <= LONGEST_DATELINE)) return;
  findings.add(
    'published',
    text.slice(0, date.end + 30),
    'text',
    (told ? 30 : !near ? 3 : alone ? 25 : 15) + state.afterHeadline,
  );
  state.found++;
}

function addFromScripts(html: ByteText, findings: Findings): void {
  const beginnings = KEY_BEGINNINGS.filter((beginning) => html.includes(`"${beginning}`));
  if (beginnings.length === 0) return;
  for (const [place, key] of DATE_KEYS.entries()) {
    if (!beginnings.some((beginning) => key.startsWith(beginning))) continue;
    const at = html.indexOf(`"${key}"`);
    if (at < 0) continue;
    const end = at + key.length + 2;
    const value = /^\s*:\s*"?([\dT:.+Z -]{8,40})/.exec(html.slice(end, end + 60))?.[1];
    if (value !== undefined) findings.add('published', value, `script ${key}`, 10 - place * 0.1);
  }
}
