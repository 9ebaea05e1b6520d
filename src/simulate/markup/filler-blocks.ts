import { BlockSet } from '../model/block-set.ts';
import { byteEncoder } from './byte-encoder.ts';
import type { ForeignText } from './foreign-words.ts';
import { WordDraw } from './word-draw.ts';
import { WORDS } from './word-lists.ts';

const PURPOSE = 60;
/** Enough that two pages of 100 blocks hardly share one: they must not look like near duplicates. */
const BLOCK_COUNT = 4096;
const FOREIGN_COUNT = 1024;

/**
 * The mass of a page: blocks of markup without links, each made once, so that a page is built by joining strings.
 * Some are not well-formed, in ways after which every parser still finds the links that follow.
 */
export function fillerBlocks(seed: number, malformedShare: number): BlockSet {
  return new BlockSet(
    BLOCK_COUNT,
    (block) => {
      const draw = new WordDraw(seed, block, WORDS, PURPOSE);
      const wellFormed = draw.unit() >= malformedShare;
      const makers = !wellFormed ? MALFORMED : draw.below(4) === 0 ? FURNITURE : PROSE;
      return { text: makers[draw.below(makers.length)](draw), prose: makers === PROSE };
    },
    WORDS,
  );
}

/** Running text in another language. UTF-16 is left as it is: such a page is encoded as a whole. */
export function foreignBlocks(seed: number, { charset, words }: ForeignText): BlockSet {
  const encode = charset.startsWith('utf-16') ? (text: string) => text : byteEncoder(charset);
  return new BlockSet(
    FOREIGN_COUNT,
    (block) => {
      const draw = new WordDraw(seed, block, words, PURPOSE);
      return { text: encode(FOREIGN[draw.below(FOREIGN.length)](draw)), prose: true };
    },
    words.map(encode),
  );
}

type BlockMaker = (draw: WordDraw) => string;

/** Running text, whose words may be changed. */
const PROSE: readonly BlockMaker[] = [
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
  (d) =>
    `<div class="flex mt-4 px-2 md:w-1/2"><div class="grow"><section><div><div role="group"><span><span class="sr-only">` +
    `${d.words(2)}</span><span style="color:#${d.below(999)}">${d.sentence()}</span></span></div></div></section></div></div>\n`,
];

/** What pages are full of and nobody reads. */
const FURNITURE: readonly BlockMaker[] = [
  (d) => `<script>window.data=window.data||[];window.data.push({"id":${d.below(1e6)},"t":"${d.words(8)}"});</script>\n`,
  (d) => `<svg viewBox="0 0 9 9" aria-hidden="true"><path d="M${d.below(9)} ${d.below(9)}h4v4z"/></svg>\n`,
  (d) => `<form action="/search" method="get"><input name="q" placeholder="${d.words(2)}"><button>Go</button></form>\n`,
  (d) => `<!-- ${d.words(5)} -->\n<p>${d.sentences(2)}</p>\n`,
  (d) =>
    `<style>.c${d.below(1e5)}{color:#${(d.next() & 0xffffff).toString(16).padStart(6, '0')};margin:0 auto}</style>\n`,
  (d) =>
    `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Article","name":"${d.words(5)}",` +
    `"url":"/phantom/ld-${d.below(99)}.html","author":{"@type":"Person","name":"${d.words(2)}"}}</script>\n`,
  (d) =>
    `<picture><source srcset="/static/a-${d.below(9)}.webp 1x, /static/b-${d.below(9)}.webp 2x" type="image/webp">` +
    `<img alt="${d.words(3)}" src="data:image/gif;base64,${d.base64(300)}"></picture>\n`,
  (d) =>
    `<noscript><img height="1" width="1" style="display:none" src="/static/pixel.gif?id=${d.below(1e6)}" alt=""></noscript>\n`,
  (d) =>
    `<button type="button" class="btn btn--${d.words(1)}" data-state='{"open":false,"id":${d.below(1e6)}}' aria-expanded="false">` +
    `<svg width="24" height="24"><g fill="none"><path d="M${d.below(9)}.${d.below(99)} 4.2c-1 0 2 1 3 ${d.below(9)}z"/></g></svg></button>\n`,
  (d) =>
    `<template><div class="row"><p>${d.words(3)}</p></div></template><script>!function(e,t){e.q=e.q||[],e.q.push(["${d.words(1)}",` +
    `${d.below(1e6)}]);for(var n=0;n<3&&t>n;n++)e.n=n}(window,document.cookie.length>2?1:0);</script>\n`,
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
  (d) => `<div><span><p>${d.sentence()}</span></div></p></section>\n`,
  (d) => `<!DOCTYPE html><body class="again"><p>${d.sentence()}</p>\n`,
];

const FOREIGN: readonly BlockMaker[] = [
  (d) => `<p>${d.sentences(2 + d.below(4))}</p>\n`,
  (d) => `<h2>${d.words(4)}</h2>\n<p>${d.sentences(3)}</p>\n`,
  (d) => `<ul class="facts">\n${list(d, 3 + d.below(5))}</ul>\n`,
  (d) => `<div class="card"><div class="card__text" data-id="${d.below(1e6)}"><p>${d.sentences(2)}</p></div></div>\n`,
];

function list(draw: WordDraw, count: number): string {
  let items = '';
  for (let i = 0; i < count; i++) items += `<li>${draw.words(3 + draw.below(8))}</li>\n`;
  return items;
}

function rows(draw: WordDraw): string {
  let cells = '';
  for (let i = 2 + draw.below(4); i > 0; i--) {
    cells += `<tr><td>${draw.words(2)}</td><td class="n">${draw.below(9999)}</td></tr>`;
  }
  return cells;
}
