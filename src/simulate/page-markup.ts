import { BLOCK_COUNT, fillerBlocks } from './filler-blocks.ts';
import type { PlannedLink } from './link-plan.ts';
import { type SpellingTarget, spellLink } from './link-spelling.ts';
import { hash32, pick, unit } from './seeded-hash.ts';
import type { WebSpec } from './web-spec.ts';
import { SECTIONS, WORDS } from './word-lists.ts';

const PURPOSE = { size: 70, blocks: 71, base: 72, phantom: 73, nowhere: 74 } as const;
/** What a link costs on average, to come near the wanted size. */
const LINK_BYTES = 110;
const HEAD_BYTES = 600;

export interface PageToWrite {
  readonly host: number;
  readonly index: number;
  readonly authority: string;
  /** Path and query of the page itself. */
  readonly target: string;
  readonly links: readonly PlannedLink[];
  /** A META robots element, or ''. */
  readonly meta: string;
  readonly resolve: (page: number) => SpellingTarget;
}

/** Writes pages. Pure, and cheap: text comes from blocks made once, only links and phantoms are made per page. */
export class PageMarkup {
  readonly #spec: WebSpec;
  readonly #blocks: readonly string[];

  constructor(spec: WebSpec) {
    this.#spec = spec;
    this.#blocks = fillerBlocks(spec.seed, spec.malformedShare);
  }

  write(page: PageToWrite): string {
    const { host, index, links } = page;
    const { seed, pageBytes } = this.#spec;
    const [least, most] = pageBytes;
    const size = least * (most / least) ** unit(hash32(seed, host, index, PURPOSE.size));
    const perLink = Math.max(0, size - HEAD_BYTES - links.length * LINK_BYTES) / (links.length + 1);
    const base = this.#base(page);
    const from = { host, folder: base?.folder ?? folderOf(page.target) };
    const phantoms = this.#phantomMarkup(page);
    const title = `Site ${host}, page ${index}: ${WORDS[index % WORDS.length]}`;

    let out = `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>${title}</title>\n`;
    out += page.meta;
    if (base !== undefined) out += base.markup;
    out += '<link rel="stylesheet" href="/static/site.css">\n';
    let draw = hash32(seed, host, index, PURPOSE.blocks);
    let body = `<body class="page">\n<header><h1>${title}</h1></header>\n<main>\n`;
    let owed = perLink;
    for (const link of links) {
      for (; owed > 0; draw = next(draw)) {
        const block = this.#blocks[draw % BLOCK_COUNT];
        body += block;
        owed -= block.length;
      }
      owed += perLink;
      const to = page.resolve(link.to);
      const href = spellLink(this.#spec.links, from, to, link.flavour);
      if (link.element === 'refresh') out += `<meta http-equiv="refresh" content="600; url=${href.trim()}">\n`;
      else body += element(link, href, `/phantom/second-${host}-${index}.html`);
    }
    for (; owed > 0; draw = next(draw)) {
      const block = this.#blocks[draw % BLOCK_COUNT];
      body += block;
      owed -= block.length;
    }
    const tail = phantoms.tail === '' ? '</body>\n</html>\n' : phantoms.tail;
    return `${out}${phantoms.head}</head>\n${body}${phantoms.body}</main>\n<footer>Site ${host}</footer>\n${tail}`;
  }

  /** Absolute addresses that stand on the page without being links. */
  phantoms(page: PageToWrite): string[] {
    const found = this.#phantomMarkup(page).paths;
    if (page.links.some((link) => isDoubled(link))) found.push(`/phantom/second-${page.host}-${page.index}.html`);
    return found.map((path) => `http://${page.authority}${path}`);
  }

  #base(page: PageToWrite): { readonly folder: string; readonly markup: string } | undefined {
    const draw = hash32(this.#spec.seed, page.host, page.index, PURPOSE.base);
    if (unit(draw) >= this.#spec.links.base) return undefined;
    const folder = `/${SECTIONS[draw % SECTIONS.length]}/`;
    const prefix = (draw & 16) === 0 ? '' : `http://${page.authority}`;
    return { folder, markup: `<base href="${prefix}${folder}">\n` };
  }

  #phantomMarkup(page: PageToWrite): { head: string; body: string; tail: string; paths: string[] } {
    const { host, index } = page;
    const draw = hash32(this.#spec.seed, host, index, PURPOSE.phantom);
    const written = { head: '', body: '', tail: '', paths: [] as string[] };
    if (unit(draw) >= this.#spec.links.phantom) return written;
    const path = (name: string): string => {
      const made = `/phantom/${name}-${host}-${index}.html`;
      written.paths.push(made);
      return made;
    };
    const kind = hash32(this.#spec.seed, host, index, PURPOSE.nowhere);
    if ((kind & 1) === 0) written.head += `<script>var menu = '<a href="${path('script')}">menu<\\/a>';</script>\n`;
    if ((kind & 2) === 0) written.head += `<style>/* <a href="${path('style')}">style</a> */</style>\n`;
    if ((kind & 4) === 0) written.body += `<!-- <a href="${path('comment')}">old link</a> -->\n`;
    if ((kind & 8) === 0) written.body += `<textarea rows=3><a href="${path('textarea')}">text</a></textarea>\n`;
    if ((kind & 16) === 0) written.body += `<div data-html='<a href="${path('attribute')}">x</a>'>Widget</div>\n`;
    if ((kind & 32) === 0) written.body += `<a data-href="${path('data-href')}" name="here">Here</a>\n`;
    if ((kind & 64) === 0) written.tail = `</body>\n</html>\n<!-- <a href="${path('tail')}">never closed</a>\n`;
    written.body += NOWHERE[pick(draw, NOWHERE.length)];
    return written;
  }
}

/** Anchors that lead to no page. */
const NOWHERE = [
  '<a name="notes">Notes</a>\n',
  '<a>Plain anchor</a>\n',
  '<a href="javascript:void(open(\'/phantom/js.html\'))">Open</a>\n',
  '<a href="mailto:someone@example.test?subject=/phantom/mail.html">Write</a>\n',
  '<a href=tel:+4912345>Call</a>\n',
  '<a href="data:text/html,<a href=/phantom/data.html>x</a>">Data</a>\n',
  '<a href="http://[::bad/phantom/host.html">Broken</a>\n',
  '<a href="ftp://files.example.test/phantom/file.html">Files</a>\n',
] as const;

function next(draw: number): number {
  const x = Math.imul(draw ^ (draw >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
  return (x ^ (x >>> 12)) >>> 0;
}

/** The folder that relative links of a page resolve against. */
function folderOf(target: string): string {
  const mark = target.indexOf('?');
  return target.slice(0, target.lastIndexOf('/', mark < 0 ? target.length : mark) + 1);
}

/** Bits for the markup around the address, apart from those that spell it. */
function markupBits(link: PlannedLink): number {
  return Math.imul(link.flavour, 0x9e3779b1) >>> 16;
}

/** An anchor with two href attributes: only the first counts. */
function isDoubled(link: PlannedLink): boolean {
  return link.element === 'a' && (markupBits(link) & 0x3f) === 0x15;
}

function element(link: PlannedLink, href: string, second: string): string {
  const bits = markupBits(link);
  if (link.element === 'area')
    return `<map name="m${bits}"><area shape="rect" href="${href}" alt="${anchor(bits)}"></map>\n`;
  if (link.element === 'iframe') return `<iframe src="${href}" title="${anchor(bits)}"></iframe>\n`;
  const rel = link.nofollow ? NOFOLLOW[bits % NOFOLLOW.length] : '';
  if (isDoubled(link)) return `<p><a href="${href}" href="${second}"${rel}>${anchor(bits)}</a></p>\n`;
  switch ((bits >>> 3) & 15) {
    case 0:
      return `<li><a href='${href}'${rel}>${anchor(bits)}</a></li>\n`;
    case 1:
      // An unquoted value ends at the first white space.
      return /\s/.test(href)
        ? `<li><a${rel} href="${href}">${anchor(bits)}</a>\n`
        : `<li><a${rel} href=${href}>${anchor(bits)}</a>\n`;
    case 2:
      return `<A CLASS=link${rel} HREF = "${href}" ><b>${anchor(bits)}</b></A>\n`;
    case 3:
      return `<div class="tile"><a class="tile__link"${rel} href="${href}"><img src="/static/icon.svg" alt="${anchor(bits)}"></a></div>\n`;
    case 4:
      return `<p>${WORDS[bits % WORDS.length]} <a\n  data-track='{"a":"b>c"}'\n  href="${href}"${rel}\n>${anchor(bits)}</a> and so on.</p>\n`;
    case 5:
      return `<td><a title="more > less" href="${href}"${rel}>${anchor(bits)}\n`;
    default:
      return `<p><a href="${href}"${rel}>${anchor(bits)}</a></p>\n`;
  }
}

const NOFOLLOW = [
  ' rel="nofollow"',
  " rel='noopener nofollow'",
  ' rel=NOFOLLOW',
  ' rel="ugc nofollow external"',
] as const;

function anchor(bits: number): string {
  return `${WORDS[bits % WORDS.length]} ${WORDS[(bits >>> 5) % WORDS.length]}`;
}
