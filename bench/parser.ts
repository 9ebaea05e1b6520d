/**
 * How fast HTML becomes links, in megabytes of bytes as received per CPU second (all threads of the process, the garbage
 * collector included), on the real pages of the data sets.
 *
 *   npx node bench/parser.ts [rounds] [part of the name of what to measure]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { charsetOf, decode } from '../src/convert/charset.ts';
import { extractPage } from '../src/extract/extract-page.ts';
import { createResolver } from '../src/url/resolver.ts';
import { defaultUrlOptions } from '../src/url/url-options.ts';
import { corpus } from '../test/corpora.ts';

const rounds = Number(process.argv[2] ?? 15);
const wanted = process.argv[3] ?? '';
const url = 'https://www.example.com/news/2024/page.html';

const bodies: Uint8Array[] = [];
for (const set of ['article-extraction', 'trafilatura-eval']) {
  const folder = corpus(set);
  if (folder === undefined) throw new Error(`data set ${set} is not beside the checkout`);
  for (const file of readdirSync(join(folder, 'html')))
    bodies.push(gunzipSync(readFileSync(join(folder, 'html', file))));
}
const megabytes = bodies.reduce((sum, body) => sum + body.length, 0) / 1e6;
console.log(`${bodies.length} pages, ${megabytes.toFixed(1)} MB`);

const resolver = (base: string) => {
  const resolved = createResolver(base, defaultUrlOptions);
  return (reference: string) => resolved.resolve(reference);
};

function textOf(body: Uint8Array): string {
  return decode(body, charsetOf(body, { label: 'utf-8' }).encoding);
}

function treeLinks(html: string): number {
  let links = 0;
  const waiting: DefaultTreeAdapterTypes.Node[] = [parse(html, { scriptingEnabled: false })];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('tagName' in node && node.tagName === 'a') {
      const href = node.attrs.find(({ name }) => name === 'href')?.value;
      if (href !== undefined && URL.canParse(href, url)) links++;
    }
    if ('childNodes' in node) waiting.push(...node.childNodes);
  }
  return links;
}

/** Rounds of all candidates take turns, so that what else the machine does touches all alike. */
function measure(all: Readonly<Record<string, (body: Uint8Array) => unknown>>): void {
  const candidates = Object.fromEntries(Object.entries(all).filter(([name]) => name.includes(wanted)));
  const speeds = new Map<string, number[]>(Object.keys(candidates).map((name) => [name, []]));
  for (let round = -4; round < rounds; round++) {
    for (const [name, work] of Object.entries(candidates)) {
      const before = process.cpuUsage();
      for (const body of bodies) work(body);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) speeds.get(name)?.push(megabytes / ((user + system) / 1e6));
    }
  }
  console.log(`${'MB per CPU second'.padEnd(44)} median  best`);
  for (const [name, measured] of speeds) {
    measured.sort((a, b) => a - b);
    const told = [measured[Math.floor(measured.length / 2)], measured[measured.length - 1]].map((speed) =>
      speed.toFixed(0).padStart(6),
    );
    console.log(`${name.padEnd(44)} ${told.join('')}`);
  }
}

measure({
  'decoding alone': textOf,
  'links, title, metadata': (body) => extractPage(body, { url, resolver }),
  'links, title, metadata, visible text': (body) => extractPage(body, { url, resolver, text: true }),
  'the same with resources': (body) => extractPage(body, { url, resolver, text: true, resources: true }),
  'the same from decoded text': (body) => extractPage(textOf(body), { url, resolver, text: true, resources: true }),
  'the first with the platform URL parser': (body) => extractPage(body, { url }),
  'parse5: tree and anchors': (body) => treeLinks(textOf(body)),
});
