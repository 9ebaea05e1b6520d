import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Link } from '../../../src/contracts/content/page.ts';
import { extractPage } from '../../../src/extract/extract-page.ts';
import { corpus, skipWithout } from '../../corpora.ts';

/** What Chromium saw on one page. */
interface BrowserPage {
  readonly id: string;
  readonly url: string;
  readonly base: string;
  readonly title: string;
  readonly charset: string;
  readonly lang: string | null;
  readonly canonical: string | null;
  readonly robots: string | null;
  readonly links: readonly (readonly [href: string, text: string, nofollow: number])[];
  readonly frames: readonly string[];
}

const SETS = [
  ['art-A', 'article-extraction'],
  ['traf-A', 'trafilatura-eval'],
] as const;

/** Links that our URL parser calls invalid and Chromium keeps: a host with a blank in it, and no host at all. */
const UNFETCHABLE = new Set(['http://xn--illegale%20mllentsorgung-6sc/', 'http://']);

describe('real pages as Chromium sees them', () => {
  for (const [set, folder] of SETS) {
    const skip = skipWithout('html') || skipWithout(folder);
    test(`${set}: links, frames, title and directives`, { skip }, (context) => {
      let links = 0;
      let beyond = 0;
      for (const { browser, html } of pagesOf(set, folder)) {
        // Chromium was started with scripts, which it then blocked: it took <noscript> for raw text.
        const page = extractPage(html, { url: browser.url, scripting: true });
        const wanted = new Set(browser.links.map(([href]) => href).filter(isFetchable));
        const found = anchorsOf(page.links);
        assert.deepEqual(
          [...wanted].filter((url) => !found.has(url)),
          [],
          `missed on ${browser.url}`,
        );
        assert.deepEqual(
          [...found].filter((url) => !wanted.has(url)),
          [],
          `invented on ${browser.url}`,
        );
        links += wanted.size;
        assert.equal(page.base, browser.base, browser.url);
        assert.equal(page.title, browser.title.replace(/[\s\0]+/g, ' ').trim(), browser.url);
        assert.equal(page.lang ?? '', browser.lang ?? '', browser.url);
        assert.equal(page.canonical ?? '', browser.canonical ?? '', browser.url);
        assert.equal(page.metaRobots.find(([name]) => name === 'robots')?.[1] ?? '', browser.robots ?? '', browser.url);
        const frames = new Set(
          page.links.filter(({ kind }) => kind === 'iframe' || kind === 'frame').map(({ url }) => url),
        );
        assert.deepEqual(
          browser.frames.filter((url) => isWeb(url) && !frames.has(url)),
          [],
          browser.url,
        );
        const nofollow = new Set(page.links.filter((link) => link.nofollow).map(({ url }) => url));
        for (const [url, , isNofollow] of browser.links)
          if (isNofollow === 1 && isFetchable(url)) assert.ok(nofollow.has(url), url);

        // Without scripts, all that comes on top is what stands in <noscript>.
        const plain = anchorsOf(extractPage(html, { url: browser.url }).links);
        for (const url of wanted) assert.ok(plain.has(url), url);
        beyond += plain.size - wanted.size;
      }
      context.diagnostic(`${links} links, all found, none invented; ${beyond} more in <noscript>`);
    });
  }
});

function anchorsOf(links: readonly Link[]): Set<string> {
  return new Set(
    links.filter(({ kind, url }) => (kind === 'a' || kind === 'area') && isWeb(url)).map(({ url }) => url),
  );
}

function isFetchable(url: string): boolean {
  return isWeb(url) && !UNFETCHABLE.has(url);
}

function isWeb(url: string): boolean {
  return url.startsWith('http://') || url.startsWith('https://');
}

function* pagesOf(set: string, folder: string): Generator<{ browser: BrowserPage; html: string }> {
  const seen = gunzipSync(readFileSync(join(corpus('html') as string, 'chromium', `${set}.jsonl.gz`))).toString();
  for (const line of seen.trim().split('\n')) {
    const browser = JSON.parse(line) as BrowserPage;
    const bytes = gunzipSync(readFileSync(join(corpus(folder) as string, 'html', `${browser.id}.html.gz`)));
    yield { browser, html: new TextDecoder(browser.charset).decode(bytes) };
  }
}
