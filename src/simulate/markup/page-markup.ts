import type { BlockSet } from '../model/block-set.ts';
import { ChangedWords } from '../model/changed-words.ts';
import { hash32, unit } from '../model/seeded-hash.ts';
import type { WebSpec } from '../model/web-spec.ts';
import type { PageCharset } from '../plan/charset-plan.ts';
import type { PlannedLink } from '../plan/link-plan.ts';
import { byteEncoder } from './byte-encoder.ts';
import { fillerBlocks, foreignBlocks } from './filler-blocks.ts';
import { bodyLink, headLink, isDoubled } from './link-markup.ts';
import { type SpellingContext, type SpellingTarget, spellLink } from './link-spelling.ts';
import { GzipSink, type PageSink, PlainSink } from './page-sink.ts';
import { phantomMarkup } from './phantom-markup.ts';
import type { TraitMarkup } from './spam-markup.ts';
import { SECTIONS, WORDS } from './word-lists.ts';

const PURPOSE = { size: 70, blocks: 71, base: 72, nest: 75 } as const;
/** What stands around the links and the text. */
const FRAME_BYTES = 700;
const LINKS_PER_SECTION = 8;
/** One block in this many is another one in each new version of a page. */
const CHANGED_BLOCKS = 16;

export interface PageToWrite {
  readonly host: number;
  readonly index: number;
  /** scheme://authority of the host. */
  readonly origin: string;
  /** Path and query of the page itself. */
  readonly target: string;
  readonly links: readonly PlannedLink[];
  /** A META robots element, or ''. */
  readonly meta: string;
  /** Markup with links that are no pages of the web: the ways into traps. */
  readonly extra: string;
  /** Of spam, and of what looks like it. */
  readonly trait?: TraitMarkup;
  /** How often it has changed. */
  readonly version: number;
  /** Of a near copy, whose other fields are those of its original: every how manieth word differs, and to what. */
  readonly near?: { readonly stride: number; readonly salt: number };
  /** Absent: UTF-8. */
  readonly charset?: PageCharset;
  readonly resolve: (page: number) => SpellingTarget;
}

/** Writes pages. Pure, and cheap: text comes from blocks made once, only links and phantoms are made per page. */
export class PageMarkup {
  readonly #spec: WebSpec;
  readonly #blocks: BlockSet;
  readonly #foreign = new Map<string, BlockSet>();

  constructor(spec: WebSpec) {
    this.#spec = spec;
    this.#blocks = fillerBlocks(spec.seed, spec.malformedShare);
  }

  write(page: PageToWrite): string {
    const sink = new PlainSink(this.#blocksOf(page));
    this.#write(page, sink);
    const { charset, declared } = page.charset ?? {};
    if (!charset?.startsWith('utf-16')) return sink.end();
    return byteEncoder(charset)(declared === 'byte-order-mark' ? `\ufeff${sink.end()}` : sink.end());
  }

  /** Whether the page can be had compressed: what is encoded as a whole cannot. */
  canZip({ charset }: PageToWrite): boolean {
    return !charset?.charset.startsWith('utf-16');
  }

  writeGzip(page: PageToWrite): string {
    const sink = new GzipSink(this.#blocksOf(page));
    this.#write(page, sink);
    return sink.end();
  }

  /** Absolute paths that stand on the page without being links. */
  phantoms({ host, index, links }: PageToWrite): string[] {
    const found = [...phantomMarkup(this.#spec.seed, this.#spec.links.phantom, host, index).paths];
    if (links.some((link) => isDoubled(link))) found.push(secondPath(host, index));
    return found;
  }

  /** Whether a link of the page, read on another host, leads to that host: it is relative, and so is `<base>`. */
  isRelative(page: PageToWrite, link: PlannedLink): boolean {
    const base = this.#base(page);
    if (base?.absolute) return false;
    return !/^\s*(?:https?:)?\/\//i.test(
      spellLink(this.#spec.links, context(page, base), page.resolve(link.to), link.flavour),
    );
  }

  #write(page: PageToWrite, sink: PageSink): void {
    const { host, index, links, trait = {} } = page;
    const { seed, links: shares } = this.#spec;
    const base = this.#base(page);
    const from = context(page, base);
    const phantoms = phantomMarkup(seed, shares.phantom, host, index);
    const title = trait.title ?? `Site ${host}, page ${index}: ${WORDS[index % WORDS.length]}`;
    sink.add(`<!DOCTYPE html>\n<html lang="${page.charset?.text.language ?? 'en'}">\n<head>\n${charsetMarkup(page)}`);
    sink.add(`<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>${title}</title>\n`);
    sink.add(page.meta + (trait.head ?? ''));
    if (base !== undefined) sink.add(base.markup);
    let inBody = 0;
    for (const link of links) {
      if (isBodyLink(link)) inBody++;
      else sink.add(headLink(link, spellLink(shares, from, page.resolve(link.to), link.flavour)));
    }
    sink.add(`<link rel="stylesheet" href="/static/site.css">\n${phantoms.head}</head>\n`);
    sink.add(`<body class="page">\n<div id="root"><div class="layout"><header><h1>${title}</h1></header>\n<main>\n`);
    // Not even a page without running text has the bytes of its near copies.
    if (page.near !== undefined) sink.add(`<!-- copy ${page.near.salt} -->\n`);
    if (page.version > 0) sink.add(`<p class="edition">Edition ${page.version}</p>\n`);

    if (trait.before !== undefined) sink.add(trait.before);

    const bytesPerLink = ((trait.bytes ?? this.#size(host, index)) - FRAME_BYTES) / (inBody + 1);
    const fill = this.#filler(page, sink);
    const second = secondPath(host, index);
    let nest = hash32(seed, host, index, PURPOSE.nest);
    let written = 0;
    for (const link of links) {
      if (!isBodyLink(link)) continue;
      let markup = '';
      if (written % LINKS_PER_SECTION === 0) {
        if (written > 0) markup = this.#sectionEnd(nest);
        nest = next(nest);
        markup += SECTION_STARTS[nest % SECTION_STARTS.length];
      }
      markup += bodyLink(link, spellLink(shares, from, page.resolve(link.to), link.flavour), second);
      sink.add(markup);
      fill(bytesPerLink - markup.length);
      written++;
    }
    if (written > 0) sink.add(this.#sectionEnd(nest));
    fill(bytesPerLink);
    sink.add((trait.after ?? '') + page.extra + phantoms.body);
    sink.add(`</main>\n<footer>Site ${host}</footer>\n</div></div>\n`);
    sink.add(phantoms.tail === '' ? '</body>\n</html>\n' : phantoms.tail);
  }

  /** Writes blocks until a debt of bytes is paid; what is overpaid counts for the next time. */
  #filler(page: PageToWrite, sink: PageSink): (bytes: number) => void {
    const { host, index, version, near } = page;
    const blocks = this.#blocksOf(page);
    const changed = near === undefined ? undefined : new ChangedWords(blocks.words, near.stride, near.salt);
    let draw = hash32(this.#spec.seed, host, index, PURPOSE.blocks);
    let owed = 0;
    let written = 0;
    return (bytes) => {
      owed += bytes;
      for (; owed > 0; draw = next(draw)) {
        const block = draw % blocks.count;
        // The length of the first version counts in all of them, so that the rest of the page stays as it was.
        owed -= blocks.text(block).length;
        const renewed = version > 0 && (written++ + version) % CHANGED_BLOCKS === 0;
        if (renewed) sink.addBlock(((block + Math.imul(version, 0x2c1b3c6d)) >>> 0) % blocks.count);
        else if (changed !== undefined && blocks.isProse(block)) sink.add(changed.change(blocks.text(block)));
        else sink.addBlock(block);
      }
    };
  }

  #size(host: number, index: number): number {
    const [least, most] = this.#spec.pageBytes;
    return least * (most / least) ** unit(hash32(this.#spec.seed, host, index, PURPOSE.size));
  }

  #blocksOf({ charset }: PageToWrite): BlockSet {
    if (charset === undefined) return this.#blocks;
    let blocks = this.#foreign.get(charset.charset);
    if (blocks === undefined) {
      blocks = foreignBlocks(this.#spec.seed, charset.text);
      this.#foreign.set(charset.charset, blocks);
    }
    return blocks;
  }

  #base(page: PageToWrite): PageBase | undefined {
    const draw = hash32(this.#spec.seed, page.host, page.index, PURPOSE.base);
    if (unit(draw) >= this.#spec.links.base) return undefined;
    const folder = `/${SECTIONS[draw % SECTIONS.length]}/`;
    const absolute = (draw & 16) !== 0;
    return { folder, absolute, markup: `<base href="${absolute ? page.origin : ''}${folder}">\n` };
  }

  /** Some sections are never closed. */
  #sectionEnd(nest: number): string {
    if (((nest >>> 8) & 0xffff) / 0x10000 < this.#spec.malformedShare) return '';
    return SECTION_ENDS[nest % SECTION_ENDS.length];
  }
}

interface PageBase {
  readonly folder: string;
  readonly absolute: boolean;
  readonly markup: string;
}

/** Sections are nested as deep as those of today's pages. */
const SECTION_STARTS = [
  '<section class="band"><div class="container"><div class="row"><div class="col col--8">\n',
  '<nav aria-label="More"><div><ul class="menu">\n',
  '<article itemscope><div class="entry"><div class="entry__wrap"><div class="entry__body">\n',
  '<div class="grid"><div class="grid__cell"><details open><summary>More</summary><div>\n',
  '<table class="layout"><tbody><tr><td><div>\n',
] as const;
const SECTION_ENDS = [
  '</div></div></div></section>\n',
  '</ul></div></nav>\n',
  '</div></div></div></article>\n',
  '</div></details></div></div>\n',
  '</div></td></tr></tbody></table>\n',
] as const;

function isBodyLink({ element }: PlannedLink): boolean {
  return element === 'a' || element === 'area' || element === 'iframe';
}

function context(page: PageToWrite, base: PageBase | undefined): SpellingContext {
  return { host: page.host, folder: base?.folder ?? folderOf(page.target), utf8: page.charset === undefined };
}

/** The folder that relative links of a page resolve against. */
function folderOf(target: string): string {
  const mark = target.indexOf('?');
  return target.slice(0, target.lastIndexOf('/', mark < 0 ? target.length : mark) + 1);
}

function charsetMarkup({ charset }: PageToWrite): string {
  if (charset === undefined) return '<meta charset="utf-8">\n';
  if (charset.declared === 'meta') return `<meta charset="${charset.charset}">\n`;
  if (charset.declared !== 'http-equiv') return '';
  return `<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=${charset.charset}">\n`;
}

/** The address that stands in the second href of an anchor. */
function secondPath(host: number, index: number): string {
  return `/phantom/second-${host}-${index}.html`;
}

function next(draw: number): number {
  const x = Math.imul(draw ^ (draw >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
  return (x ^ (x >>> 12)) >>> 0;
}
