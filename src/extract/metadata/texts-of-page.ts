import type { ByteText } from '../byte-text.ts';
import { documentKernel } from '../kernel/document-kernel.ts';
import { collapse } from '../white-space.ts';
import { type Finding, Findings } from './findings.ts';
import {
  type BlockShape,
  END_SIZE,
  ENDS_FIRST_LEVEL,
  ENDS_HEADING,
  MOST_CHARACTERS,
  type TextBlocks,
} from './text-blocks.ts';
import { findDate } from './written-date.ts';

const MAX_FOUND = 40;
/** Longer texts are prose: a date in there is one that is told of, unless it comes first. */
const MAX_TEXT = 160;
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
/** What the text of a document holds where one of the two above is found before a date: to look for it spares the look for dates. */
const MAY_SAY_DATE =
  /updat|modif|aktualisi|geändert|stand|mis à jour|actualiz|atualiz|aggiornat|bijgewerkt|обновлен|revis|built|generated|^(?:first|originally|release|publi|posted|date|veröffentlicht|erstellt)/i;
const BYLINE =
  /^(?:.{0,40}[|•·,–-]\s*|[\d.:\s]{8,20}(?:uhr\s*)?)?(?:ein (?:artikel|beitrag|text|interview) von|ein gastbeitrag von|written by|story by|words by|von|by|par|por|di|door|av|autor(?:in|en)?|text|author|verfasser(?:in)?|auteur)\s*:?\s+(?<!\btext\s+)(\p{Lu}[\p{L}'’.-]+(?:\s+(?:von|van|de|der|den|la|le|al|el|di|da|dos|zu)(?=\s))?(?:\s+\p{Lu}[\p{L}'’.-]*){1,3})(?=$|\s*[,|•·–(\n-])/iu;
/** How its words begin. */
const BYLINE_BEGINNINGS: ReadonlySet<number> = new Set(
  'ei wr st wo vo by pa po di do av au te ve'.split(' ').map((two) => (two.charCodeAt(0) << 8) | two.charCodeAt(1)),
);
/** Of the digits and blanks that may stand before a byline. */
const SHORTEST_DATE = 8;
/** Keys of state that scripts keep, where a page is drawn by them. */
const DATE_KEYS =
  'datePublished publishedAt published_at publishDate publicationDate publishedDate publish_date published createdAt dateCreated'.split(
    ' ',
  );
const DATE_KEY = new RegExp(`"(${DATE_KEYS.join('|')})(?=")`, 'g');
/** How all of them begin: few pages have such a key at all. */
const KEY_BEGINNINGS = ['date', 'publi', 'creat'];

/**
 * Dates and bylines that stand bare in the text, for pages that declare none. Only short blocks are looked at; what follows
 * the headline counts for more.
 */
export function textsOfPage(
  blocks: TextBlocks,
  kind: PageKind,
): {
  readonly dates: readonly Finding[];
  /** Dates that are said to be of the last change. */
  readonly updates: readonly Finding[];
  readonly bylines: readonly Finding[];
} {
  const findings = new Findings();
  const state: ReadState = { afterHeadline: 0, blocksLeft: 0, begun: false, found: 0, kind };
  const shape: BlockShape = { ...NO_SHAPE };
  // No function that is made for each page: its code would be compiled again after each collection of garbage.
  for (let from = 0, to = blocks.endOf(from); to !== -1 && state.found < MAX_FOUND; to = blocks.endOf(from)) {
    const endedBy = blocks.endedBy(to);
    if (from < to) {
      const heading = (endedBy & ENDS_HEADING) !== 0;
      // Of a document nothing is noted but what is found.
      if (kind === 'article' || blocks.mayTellOfDocument(from, to)) {
        blocks.shape(from, to, shape);
        if (!shape.plain || !passOver(state, shape, heading))
          readBlock(state, findings, blocks.beginning(from, to), heading);
      }
    }
    if ((endedBy & ENDS_FIRST_LEVEL) !== 0 && state.afterHeadline === 0) {
      state.afterHeadline = 10;
      state.blocksLeft = BYLINE_BLOCKS;
    }
    from = to + END_SIZE;
  }
  if (kind === 'article' && findings.best('published') === undefined) addFromScripts(blocks, findings);
  return { dates: findings.of('published'), updates: findings.of('modified'), bylines: findings.of('author') };
}

const NO_SHAPE: BlockShape = {
  ...{ plain: false, length: 0, trimmed: 0, collapsed: 0 },
  ...{ first: 0, second: 0, hasDigit: false, hasNumber: false, numbers: 0, hasMark: false },
};

/** A date or a name in running reference is one that is told of; an article has a byline. */
export type PageKind = 'article' | 'document';

interface ReadState {
  /** What findings weigh more for standing after the headline. */
  afterHeadline: number;
  /** In which a bare date may be that of the article. */
  blocksLeft: number;
  /** Running text was met. */
  begun: boolean;
  found: number;
  readonly kind: PageKind;
}

/** Does what `readBlock` does with a block in which there is neither date nor byline; false where there may be one. */
function passOver(state: ReadState, shape: BlockShape, heading: boolean): boolean {
  const { length, collapsed } = shape;
  const isPassed = length < 5 || (length > MAX_TEXT && !shape.hasDigit) || collapsed < 5;
  if (!isPassed && (mayHoldDate(shape) || (collapsed <= MAX_TEXT && mayBeByline(state.kind, shape)))) return false;
  if (!heading && length > MAX_TEXT && shape.trimmed > MAX_TEXT) state.begun = true;
  if (!isPassed) passBlock(state, collapsed);
  return true;
}

/** A date has the number of its day and that of its year. */
function mayHoldDate({ hasNumber, numbers }: BlockShape): boolean {
  return hasNumber && numbers > 1;
}

/**
 * A byline begins with a capital or a number, that of a document with the word for its author. Without a mark or a date before it,
 * its first word is one of those in `BYLINE`.
 */
function mayBeByline(kind: PageKind, { first, second, hasMark, collapsed }: BlockShape): boolean {
  if (kind === 'document') return first === 0x41 || first === 0x56 || first === 0x57;
  if (first >= 0x30 && first <= 0x39) return hasMark || collapsed > SHORTEST_DATE;
  return first >= 0x41 && first <= 0x5a && (hasMark || BYLINE_BEGINNINGS.has(((first | 0x20) << 8) | (second | 0x20)));
}

/** Answers whether the block is one of those that follow the headline. */
function passBlock(state: ReadState, length: number): boolean {
  const inByline = state.kind === 'article' && state.blocksLeft-- > 0;
  if (length > MAX_TEXT) state.blocksLeft = 0;
  return inByline;
}

function readBlock(state: ReadState, findings: Findings, block: string, heading: boolean): void {
  const { begun } = state;
  if (!heading && block.length > MAX_TEXT && block.trim().length > MAX_TEXT) state.begun = true;
  // Most blocks are menus and prose: neither short nor with a date.
  if (block.length < 5 || (block.length > MAX_TEXT && !/\d/.test(block.slice(0, MOST_CHARACTERS)))) return;
  const text = collapse(block);
  if (text.length < 5) return;
  const inByline = passBlock(state, text.length);
  const near = inByline || (state.kind === 'article' && !begun);
  const isSigned =
    text.length <= MAX_TEXT && /^[\p{Lu}\d]/u.test(text) && (state.kind === 'article' || SAYS_AUTHOR.test(text));
  const byline = isSigned ? BYLINE.exec(text) : null;
  if (byline !== null && /^\p{Lu}/u.test(byline[1])) {
    findings.add('author', byline[1], 'text', 10 + state.afterHeadline);
    state.found++;
  }
  if (!/\d\d/.test(text) && !/[\u0660-\u0fff\uff10-\uff19]/.test(text)) return;
  if (state.kind === 'document' && !MAY_SAY_DATE.test(text)) return;
  const date = findDate(text.slice(0, MAX_TEXT));
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

/** Whether the document holds the beginning of a key, which few pages do. */
function mayHoldKey(html: ByteText, bytes: Uint8Array): boolean {
  const kernel = documentKernel();
  if (!kernel?.hold(bytes)) return KEY_BEGINNINGS.some((beginning) => html.includes(`"${beginning}`));
  for (let at = kernel.findDateKey(0, html.length); at !== -1; at = kernel.findDateKey(at + 1, html.length))
    if (KEY_BEGINNINGS.some((beginning) => html.startsWith(beginning, at + 1))) return true;
  return false;
}

function addFromScripts({ html, bytes }: TextBlocks, findings: Findings): void {
  if (!mayHoldKey(html, bytes)) return;
  // One look for all: scripts are long.
  const places = new Map<string, number>();
  for (const { 1: key, index } of html.matchAll(DATE_KEY)) if (!places.has(key)) places.set(key, index);
  for (const [place, key] of DATE_KEYS.entries()) {
    const at = places.get(key);
    if (at === undefined) continue;
    const end = at + key.length + 2;
    const value = /^\s*:\s*"?([\dT:.+Z -]{8,40})/.exec(html.slice(end, end + 60))?.[1];
    if (value !== undefined) findings.add('published', value, `script ${key}`, 10 - place * 0.1);
  }
}
