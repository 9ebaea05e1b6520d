import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { hasVectors } from '../../../../src/base/wasm/has-vectors.ts';

const source = (path: string): string => JSON.stringify(new URL(`../../../../src/${path}`, import.meta.url).href);
/** Tells what is made of a page: its main text, sketch, digest and counts, its visible text, and its terms for the index. */
const TELLING = `
import { hasVectors } from ${source('base/wasm/has-vectors.ts')};
import { DocumentDescriber } from ${source('crawl/content/document-describer.ts')};
import { extractPage } from ${source('extract/extract-page.ts')};
import { createIndexAnalyzer } from ${source('index/analysis/index-analyzer.ts')};
const url = 'https://a.example/';
const prose = 'The houses of the village  were built by Ann Lee, für die Straße,\\u00a0中文 on 12 May &amp; later. '.repeat(9);
const page = Buffer.from('<title>Houses</title><h1>Houses</h1>' + Array.from({ length: 9 }, (_, at) => '<p>' + at + prose).join(''));
const told = new DocumentDescriber({ contentSketch: true, spam: true, headings: true }).html(page, url, 0);
const document = { title: 'Houses', keywords: [], authors: [], links: [] };
const converted = new DocumentDescriber({ contentSketch: true, spam: true }).document({ kind: 'converted', text: prose, document });
const terms = [];
const { analyze } = createIndexAnalyzer();
for (let turn = 0; turn < 2; turn++)
  analyze(told.text, 'en', () => {}, (words, places, count, position, offsets) => {
    for (let i = 0; i < count; i++) terms.push([words.term(places[i]), position + (offsets?.[places[i]] ?? i)]);
  });
const all = [told, converted, extractPage(page, { url, text: true }).text, terms];
console.log(hasVectors());
console.log(JSON.stringify(all, (_, value) => typeof value === 'bigint' ? String(value) : value));
`;

function toldWith(...flags: string[]): string[] {
  const { stdout, stderr, status } = spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', TELLING], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout.trim().split('\n');
}

test('a processor without vectors says the same of a page as one that has them', {
  skip: process.arch === 'x64' && hasVectors() ? false : 'their instructions are left out on x64 alone',
}, () => {
  const [has, all] = toldWith();
  const [hasNone, allWithout] = toldWith('--no-enable-sse4-1');
  assert.deepEqual([has, hasNone], ['true', 'false']);
  assert.ok(all.includes('contentSketch') && all.includes('textDigest'));
  assert.deepEqual(JSON.parse(allWithout), JSON.parse(all));
});
