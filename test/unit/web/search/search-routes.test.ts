import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { parse } from 'parse5';
import { type Served, serve } from '../serving.ts';
import { type SmallCopy, SmallReader } from '../small-reader.ts';
import { HOSTILE } from '../spider-web.ts';

describe('Search over HTTP', () => {
  let served: Served;
  before(async () => {
    served = await serve();
  });
  after(() => served[Symbol.asyncDispose]());

  test('the start page holds the form, no results, and says how much there is', async () => {
    const { status, text } = await served.get('/');
    assert.equal(status, 200);
    assert.match(text, /<form class="search" role="search" action="\/search" method="get">/);
    assert.match(text, /<label class="hidden" for="q">/);
    assert.match(text, /16 pages in this web/);
    assert.equal((await served.get('/search?q=')).text, text);
  });

  test('a query at the start page is answered as at the search page', async () => {
    assert.equal((await served.get('/?q=spider')).text, (await served.get('/search?q=spider')).text);
  });

  test('a result leads to a copy only where one is held and may be shown', async () => {
    const url = 'https://spiders.example/garden/';
    const copyLink = /href="\/(?:cached|versions)\?url=https%3A%2F%2Fspiders\.example%2Fgarden%2F"/g;
    const linksOf = async (copies: readonly SmallCopy[]) => {
      await using app = await serve({ reader: new SmallReader(copies) });
      return (await app.get('/search?q=spider')).text.match(copyLink)?.length ?? 0;
    };
    assert.equal(await linksOf([{ url, date: 1, body: 'x' }]), 2);
    assert.equal(await linksOf([{ url, date: 1, body: 'x', closed: true }]), 0, 'noarchive');
    assert.equal(await linksOf([]), 0, 'an imported document');
  });

  test('results with count, marks, badges, folds, facets and pages', async () => {
    const { text } = await served.get('/search?q=spider');
    assert.match(text, /14 results \(0\.012 s\)/);
    assert.equal(text.match(/<li class="result"/g)?.length, 10);
    assert.match(text, /<mark>spider<\/mark>/);
    assert.match(text, /<span class="badge">PDF<\/span>/);
    assert.match(text, /<a href="\/search\?q=spider&amp;unfolded=1">3 similar<\/a>/);
    assert.match(text, /<a href="\/search\?q=spider\+site%3Amuseum\.example">12 more from museum\.example<\/a>/);
    assert.match(text, /href="\/search\?q=spider\+after%3A2026\+before%3A2027"/);
    assert.match(text, /href="\/search\?q=spider\+lang%3Ade"/);
    assert.match(text, /<a rel="next" href="\/search\?q=spider&amp;page=2">/);
    assert.match(text, /href="\/cached\?url=https%3A%2F%2Fspiders\.example%2Fgarden%2F"/);
    const second = await served.get('/search?q=spider&page=2');
    assert.match(second.text, /Page 2 of 14 results/);
    assert.match(second.text, /<ol class="results" start="11">/);
    assert.doesNotMatch(second.text, /rel="next"/);
    assert.deepEqual(served.search.asked.at(-1), {
      query: 'spider',
      page: 2,
      perPage: 10,
      unfolded: false,
      facets: true,
      exactWords: false,
    });
  });

  test('a chosen facet is marked and can be taken away', async () => {
    const { text } = await served.get('/search?q=spider+site:museum.example');
    assert.match(text, /<a class="chosen" aria-current="true" href="\/search\?q=spider">/);
  });

  test('advice: suggestion, words left out, notes; "about" where the count is an estimate', async () => {
    served.search.extra = { suggestion: 'spider <web>', dropped: ['silk'], notes: ['A note & more.'], exact: false };
    const { text } = await served.get('/search?q=spider+silk').finally(() => {
      served.search.extra = {};
    });
    assert.match(text, /Did you mean <a href="\/search\?q=spider\+%3Cweb%3E">spider &lt;web&gt;<\/a>/);
    assert.match(text, /Left out: <s>silk<\/s>/);
    assert.match(text, /href="\/search\?q=spider\+%22silk%22"/);
    assert.match(text, /A note &amp; more\./);
    assert.match(text, /About \d+ results/);
  });

  test('a correction that was run is named, its links lead on with it, and one leads back to the words as typed', async () => {
    served.search.extra = { correctedQuery: 'spider' };
    const { text } = await served.get('/search?q=spi').finally(() => {
      served.search.extra = {};
    });
    assert.match(text, /Showing results for <a href="\/search\?q=spider">spider<\/a>/);
    assert.match(text, /Search instead for <a href="\/search\?q=spi&amp;exact=1">spi<\/a>/);
    assert.match(text, /<a rel="next" href="\/search\?q=spider&amp;page=2">/);
    assert.match(text, /href="\/search\?q=spider\+lang%3Ade"/);
    const exact = await served.get('/search?q=spider&exact=1');
    assert.equal(served.search.asked.at(-1)?.exactWords, true);
    assert.match(exact.text, /<a rel="next" href="\/search\?q=spider&amp;page=2&amp;exact=1">/);
    assert.match(exact.text, /href="\/search\?q=spider\+lang%3Ade&amp;exact=1"/);
  });

  test('the total says how many results have all words', async () => {
    for (const [extra, said] of [
      [{ withAllWords: 14 }, '14 results with all words ('],
      [{ withAllWords: 1 }, '1 result with all words, 13 more with some ('],
      [{ withAllWords: 3, total: 1_203, exact: false }, '3 results with all words, about 1,200 more with some ('],
      [{ withAllWords: 0 }, '14 results with some of the words, none with all ('],
    ] as const) {
      served.search.extra = extra;
      const { text } = await served.get('/search?q=spider').finally(() => {
        served.search.extra = {};
      });
      assert.ok(text.includes(`<p class="count">${said}`), said);
    }
  });

  test('nothing found', async () => {
    assert.match(
      (await served.get('/search?q=nothing-like-it')).text,
      /Nothing was found for <strong>nothing-like-it<\/strong>/,
    );
    assert.match((await served.get('/search?q=spider&page=99')).text, /There are no further results/);
  });

  test('while typing only the main part is sent', async () => {
    const { text } = await served.get('/search?q=spider&part=1');
    assert.doesNotMatch(text, /<html/);
    assert.match(text, /<p id="said">14 results/);
  });

  test('what strangers wrote is escaped everywhere', async () => {
    const asked = encodeURIComponent(`hostile ${HOSTILE}`);
    for (const path of [
      '/search?q=hostile',
      `/search?q=${asked}`,
      `/search?q=hostile&part=1`,
      `/versions?url=https://a.example/${asked}`,
    ]) {
      const { text } = await served.get(path);
      const elements = elementsOf(parse(text));
      assert.deepEqual(
        elements.filter(({ name }) => name === 'script').map(({ attributes }) => attributes),
        path.includes('part=1')
          ? []
          : [
              [
                ['src', '/page.js'],
                ['defer', ''],
              ],
            ],
        path,
      );
      for (const { name, attributes } of elements) {
        assert.notEqual(name, 'img', path);
        for (const [key, value] of attributes) {
          assert.doesNotMatch(key, /^on/, path);
          if (key === 'href') assert.doesNotMatch(value, /^javascript:/i, path);
          assert.notEqual(key, 'style');
        }
      }
    }
  });

  test('the feed and the description are XML in which nothing is markup that was not ours', async () => {
    const feed = await served.get(`/search.rss?q=hostile`);
    assert.equal(feed.headers['content-type'], 'application/rss+xml; charset=utf-8');
    assert.equal(feed.text.match(/<item>/g)?.length, 2);
    assert.doesNotMatch(feed.text, /<script|<img|<svg|<link>javascript/);
    assert.match((await served.get('/search.rss?q=spider')).text, /<pubDate>[A-Z][a-z]{2}, \d\d /);
    const control = await served.get(`/search.rss?q=${encodeURIComponent('a\u0001b\ufffe')}`);
    assert.doesNotMatch(control.text, /[\0-\x08\x0b\x0c\x0e-\x1f]/);
    const description = await served.get('/opensearch.xml', { host: 'localhost:99' });
    assert.match(
      description.text,
      /template="http:\/\/localhost:99\/search\?q=\{searchTerms\}&amp;page=\{startPage\?\}"/,
    );
    assert.match(description.text, /<ShortName>Spiders<\/ShortName>/);
  });

  test('JSON: search, completion, suggestions, explanation, health', async () => {
    const answer = JSON.parse((await served.get('/api/search?q=spider&perPage=3&facets=1')).text);
    assert.equal(answer.hits.length, 3);
    assert.ok(answer.facets.host.length > 1);
    assert.deepEqual(JSON.parse((await served.get('/api/complete?q=spid')).text), {
      query: 'spid',
      completions: ['spider', 'spiders'],
    });
    const suggested = await served.get('/suggest?q=spid');
    assert.deepEqual(JSON.parse(suggested.text), ['spid', ['spider', 'spiders']]);
    assert.match(String(suggested.headers['content-type']), /^application\/x-suggestions\+json/);
    const id = encodeURIComponent('https://spiders.example/garden/');
    assert.equal(JSON.parse((await served.get(`/api/explain?q=spider&id=${id}`)).text).score.what, 'score');
    assert.equal((await served.get('/api/explain?q=spider&id=none')).status, 404);
    assert.deepEqual(JSON.parse((await served.get('/healthz')).text), { ok: true, documents: 16 });
  });

  test('senseless questions are told so, as a page or as JSON', async () => {
    const senseless = [
      '/search?q=a&page=0',
      '/search?q=a&page=x',
      `/search?q=${'a'.repeat(1_001)}`,
      '/search.rss',
      '/cached',
      '/cached?url=ftp://a/',
      '/cached?url=https://a.example/&at=yesterday',
      '/go?url=javascript:alert(1)',
      '/diff?url=',
    ];
    for (const path of senseless) {
      const { status, text } = await served.get(path);
      assert.equal(status, 400, path);
      assert.match(text, /<h1>Bad request<\/h1>/);
    }
    for (const path of ['/api/search', '/api/search?q=a&perPage=1000', '/api/explain?q=a']) {
      const { status, text } = await served.get(path);
      assert.equal(status, 400, path);
      assert.equal(typeof JSON.parse(text).error, 'string');
    }
    assert.equal((await served.get('/api/nothing')).headers['content-type'], 'application/json; charset=utf-8');
  });

  test('a fault of ours is told to us, and to the reader without particulars', async () => {
    served.search.fault = new Error('secret particulars');
    const { status, text } = await served.get('/search?q=a').finally(() => {
      served.search.fault = undefined;
    });
    assert.equal(status, 500);
    assert.doesNotMatch(text, /secret/);
    assert.deepEqual(served.faults.map(String), ['Error: secret particulars']);
  });
});

interface Element {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
}

function elementsOf(node: unknown): Element[] {
  const {
    nodeName = '',
    attrs = [],
    childNodes = [],
    content,
  } = node as {
    nodeName?: string;
    attrs?: { name: string; value: string }[];
    childNodes?: unknown[];
    content?: unknown;
  };
  const own: Element = { name: nodeName, attributes: attrs.map(({ name, value }) => [name, value] as const) };
  return [own, ...childNodes.flatMap(elementsOf), ...(content === undefined ? [] : elementsOf(content))];
}
