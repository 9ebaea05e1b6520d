import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { XmlTokenizer } from '../../../src/base/xml/xml-tokenizer.ts';
import type { ExportSource, StreamFrom } from '../../../src/contracts/export.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { exportTo, temporaryFolder, writtenTo } from './export-runs.ts';
import { madePage, madeSource } from './made-source.ts';

async function allLinks(source: ExportSource): Promise<readonly (readonly [string, string])[]> {
  const links: (readonly [string, string])[] = [];
  for await (const { source: from, target } of source.links()) links.push([from, target]);
  return links;
}

/** A source of these pages alone. */
function siteOf(pages: readonly ReturnType<typeof madePage>[]): ExportSource {
  return {
    ...madeSource({}),
    async *pages(from?: StreamFrom) {
      yield* pages.slice(from === undefined || from.cursor === '' ? 0 : Number(from.cursor) + 1);
    },
  };
}

function tagsOf(xml: string): Map<string, number> {
  const tags = new Map<string, number>();
  const faults: string[] = [];
  const nothing = (): void => {};
  const tokens = {
    startTag: (name: string) => void tags.set(name, (tags.get(name) ?? 0) + 1),
    ...{ endTag: nothing, text: nothing, declaration: nothing, comment: nothing, instruction: nothing },
    fault: (what: string) => void faults.push(what),
  };
  const tokenizer = new XmlTokenizer(tokens, { maxText: 1e6, maxTag: 1e6 });
  tokenizer.push(xml);
  tokenizer.end();
  assert.deepEqual(faults, []);
  assert.doesNotMatch(xml, /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
  return tags;
}

describe('Graphs', () => {
  test('an edge list has a line for each link, with four fields whatever the anchor says', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'edges.tsv');
    await exportTo(path, madeSource({}), { format: 'edges' });
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split('\t'));
    assert.deepEqual(
      lines.map(([from, to]) => [from, to]),
      await allLinks(madeSource({})),
    );
    for (const line of lines) {
      assert.equal(line.length, 4);
      assert.match(line[2], /^[01]$/);
    }
  });

  test('GraphML has a node for each URL and an edge for each link', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'links.graphml');
    await exportTo(path, madeSource({}), { format: 'graphml' });
    const xml = readFileSync(path, 'utf8');
    const links = await allLinks(madeSource({}));
    const tags = tagsOf(xml);
    assert.equal(tags.get('edge'), links.length);
    assert.equal(tags.get('node'), new Set(links.flat()).size);
    const urls = new Map(
      [...xml.matchAll(/<node id="(n\d+)"><data key="url">([^<]*)</g)].map(([, id, url]) => [id, url]),
    );
    const ends = [...xml.matchAll(/source="(n\d+)" target="(n\d+)"/g)].map(([, from, to]) => [
      urls.get(from),
      urls.get(to),
    ]);
    assert.deepEqual(
      ends,
      links.map((pair) => pair.map((url) => url.replaceAll('&', '&amp;'))),
    );
  });

  test('WebGraph: successors rise, each once, and the URLs name them', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'webgraph');
    const { rows } = await exportTo(path, madeSource({}), { format: 'webgraph' });
    const files = writtenTo(path);
    const urls = files['graph.urls'].toString().trimEnd().split('\n');
    const [count, ...lines] = files['graph.graph-txt'].toString().split('\n').slice(0, -1);
    assert.equal(Number(count), urls.length);
    assert.equal(lines.length, urls.length);
    const arcs = lines.flatMap((line, from) => {
      const successors = line === '' ? [] : line.split(' ').map(Number);
      assert.deepEqual(
        successors,
        [...new Set(successors)].sort((one, other) => one - other),
      );
      return successors.map((to) => `${urls[from]} ${urls[to]}`);
    });
    const wanted = new Set((await allLinks(madeSource({}))).map((pair) => pair.join(' ')));
    assert.deepEqual(new Set(arcs), wanted);
    assert.equal(rows, wanted.size);
  });
});

describe('Sites', () => {
  test('a sitemap lists what may be found, with the dates that pages tell', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'site');
    const pages = [
      madePage(0),
      madePage(1, { noindex: true }),
      madePage(2, { canonical: 'https://example.org/other' }),
      { ...madePage(3), outcome: { kind: 'gone', status: 404 } as const },
      { ...madePage(4), url: 'http://example.org/plain' as CanonicalUrl },
      madePage(5, { usage: { search: 'disallowed', said: [] } }),
      madePage(6),
    ];
    const { rows } = await exportTo(path, siteOf(pages), { format: 'sitemap' });
    assert.equal(rows, 2);
    const xml = writtenTo(path)['sitemap.xml'].toString();
    assert.equal(tagsOf(xml).get('url'), 2);
    assert.match(
      xml,
      /<loc>https:\/\/example\.org\/section-0\/page-0\?q=a&amp;b=0<\/loc><lastmod>2026-11-17T11:59:59Z</,
    );
  });

  test('a sitemap of more than 50,000 pages is an index of several', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'site');
    const parts = { format: 'sitemap', options: { base: 'https://example.org/maps' } };
    const { rows } = await exportTo(path, madeSource({ pages: 50_001 }), parts);
    assert.equal(rows, 50_001);
    const files = writtenTo(path);
    assert.deepEqual(Object.keys(files), ['sitemap-1.xml', 'sitemap-2.xml', 'sitemap.xml']);
    assert.equal(files['sitemap-1.xml'].toString().match(/<url>/g)?.length, 50_000);
    assert.equal(files['sitemap-2.xml'].toString().match(/<url>/g)?.length, 1);
    assert.match(files['sitemap.xml'].toString(), /<loc>https:\/\/example\.org\/maps\/sitemap-2\.xml<\/loc>/);
  });

  test('pages of several hosts are refused', async () => {
    using folder = temporaryFolder();
    const other = { ...madePage(1), url: 'https://other.example/' as CanonicalUrl };
    for (const format of ['sitemap', 'llms.txt'])
      await assert.rejects(
        exportTo(join(folder.path, 'x'), siteOf([madePage(0), other]), { format }),
        /several hosts: example\.org, other\.example/,
      );
  });

  test('llms.txt shows no description of a page that asks for no excerpts', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'llms.txt');
    const about = { description: 'not to be shown', textLength: 1, words: 1 };
    await exportTo(path, siteOf([madePage(0, { about, nosnippet: true })]), { format: 'llms.txt' });
    assert.doesNotMatch(readFileSync(path, 'utf8'), /not to be shown/);
  });

  test('llms.txt keeps words of strangers on their line', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'llms.txt');
    await exportTo(path, madeSource({}), { format: 'llms.txt', options: { title: 'A site' } });
    const lines = readFileSync(path, 'utf8').split('\n');
    assert.equal(lines[0], '# A site');
    for (const line of lines)
      assert.match(line, /^$|^# |^## section-\d$|^## Pages$|^> |^- \[(?:[^\\[\]]|\\.)*\]\(https:[^\s()]+\)(?:: .*)?$/);
    assert.equal(lines.filter((line) => line.startsWith('- ')).length, 100);
  });
});
