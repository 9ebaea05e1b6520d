import { hash32 } from './seeded-hash.ts';
import { WORDS } from './word-lists.ts';

const PURPOSE = 60;
/** Enough that two pages of 100 blocks hardly share one: they must not look like near duplicates. */
export const BLOCK_COUNT = 4096;

/**
 * The mass of a page: blocks of markup without links, made once, so that a page is built by joining strings.
 * Some are not well-formed, in ways after which every parser still finds the links that follow.
 */
export function fillerBlocks(seed: number, malformedShare: number): string[] {
  const blocks: string[] = [];
  for (let block = 0; block < BLOCK_COUNT; block++) {
    const draw = new Draw(seed, block);
    const makers = draw.unit() < malformedShare ? MALFORMED : WELL_FORMED;
    const text = makers[draw.below(makers.length)](draw);
    // A string put together from pieces is kept as a tree of them, and each page would walk it again.
    blocks.push(Buffer.from(text, 'latin1').toString('latin1'));
  }
  return blocks;
}

/** The numbers of one block, in order. */
class Draw {
  readonly #seed: number;
  readonly #block: number;
  #step = 0;

  constructor(seed: number, block: number) {
    this.#seed = seed;
    this.#block = block;
  }

  next(): number {
    return hash32(this.#seed, this.#block, this.#step++, PURPOSE);
  }

  unit(): number {
    return this.next() / 0x1_0000_0000;
  }

  below(count: number): number {
    return this.next() % count;
  }

  words(count: number): string {
    let text = WORDS[this.below(WORDS.length)] as string;
    for (let i = 1; i < count; i++) text += ` ${WORDS[this.below(WORDS.length)]}`;
    return text;
  }

  sentence(): string {
    const text = this.words(6 + this.below(12));
    return `${text[0].toUpperCase()}${text.slice(1)}${this.below(8) === 0 ? '?' : '.'}`;
  }

  sentences(count: number): string {
    let text = this.sentence();
    for (let i = 1; i < count; i++) text += ` ${this.sentence()}`;
    return text;
  }
}

type BlockMaker = (draw: Draw) => string;

const WELL_FORMED: readonly BlockMaker[] = [
  (d) => `<p>${d.sentences(2 + d.below(4))}</p>\n`,
  (d) => `<p>${d.sentence()} <em>${d.words(2)}</em> &mdash; <strong>${d.words(1)}</strong> ${d.sentences(2)}</p>\n`,
  (d) => `<h2 id="s${d.below(100000)}">${d.words(4)}</h2>\n<p>${d.sentences(3)}</p>\n`,
  (d) => `<ul class="facts">\n${list(d, 3 + d.below(5))}</ul>\n`,
  (d) => `<blockquote><p>&ldquo;${d.sentence()}&rdquo;</p><footer>${d.words(2)}</footer></blockquote>\n`,
  (d) =>
    `<table><thead><tr><th>${d.words(1)}</th><th>${d.words(1)}</th></tr></thead><tbody>${rows(d)}</tbody></table>\n`,
  (d) =>
    `<div class="card card--wide"><div class="card__inner"><div class="card__text" data-id="${d.below(1e6)}">` +
    `<p>${d.sentences(2)}</p></div></div></div>\n`,
  (d) =>
    `<figure><img src="/static/figure-${d.below(9)}.svg" alt="${d.words(4)}" width="640" height="360" loading="lazy">` +
    `<figcaption>${d.sentence()}</figcaption></figure>\n`,
  (d) => `<script>window.data=window.data||[];window.data.push({"id":${d.below(1e6)},"t":"${d.words(8)}"});</script>\n`,
  (d) => `<svg viewBox="0 0 9 9" aria-hidden="true"><path d="M${d.below(9)} ${d.below(9)}h4v4z"/></svg>\n`,
  (d) => `<form action="/search" method="get"><input name="q" placeholder="${d.words(2)}"><button>Go</button></form>\n`,
  (d) => `<!-- ${d.words(5)} -->\n<p>${d.sentences(2)}</p>\n`,
  (d) =>
    `<style>.c${d.below(1e5)}{color:#${(d.next() & 0xffffff).toString(16).padStart(6, '0')};margin:0 auto}</style>\n`,
];

const MALFORMED: readonly BlockMaker[] = [
  (d) => `<p>${d.sentences(2)}\n<p>${d.sentence()}\n`,
  (d) => `<b><i>${d.words(3)}</b> ${d.words(3)}</i>\n`,
  (d) => `</div></span>${d.sentence()}<br></br>\n`,
  (d) => `<P ALIGN=center CLASS='x y' class=z>${d.sentence()}</P >\n`,
  (d) => `<p>${d.words(3)} < ${d.words(2)} &copy 5 <3 & ${d.words(2)} &nosuch; </p>\n`,
  (d) => `<div title="a > b" hidden=""data-x=1>${d.sentence()}</div>\n`,
  (d) => `<!--${d.words(2)} -- ${d.words(2)} --!><p>${d.sentence()}</p>\n`,
  (d) => `<?php echo "${d.words(2)}" ?><p>${d.sentence()}\n`,
  (d) => `<table><tr><td>${d.words(2)}<td>${d.words(2)}<tr><td>${d.words(1)}</table>\n`,
  (d) => `<ul><li>${d.words(3)}<li>${d.words(3)}</ul></>\n`,
];

function list(draw: Draw, count: number): string {
  let items = '';
  for (let i = 0; i < count; i++) items += `<li>${draw.words(3 + draw.below(8))}</li>\n`;
  return items;
}

function rows(draw: Draw): string {
  let cells = '';
  for (let i = 2 + draw.below(4); i > 0; i--) {
    cells += `<tr><td>${draw.words(2)}</td><td class="n">${draw.below(9999)}</td></tr>`;
  }
  return cells;
}
