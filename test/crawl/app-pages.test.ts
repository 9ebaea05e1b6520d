import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SITE, serveHostileCrawl } from '../browser/hostile-crawl.ts';

const url = (text: string): string => encodeURIComponent(text);

test('pages of pages, hosts and the graph answer for a real crawl, and say what is wrong with a question', async () => {
  await using served = await serveHostileCrawl();
  const get = async (path: string): Promise<readonly [number, string]> => {
    const response = await fetch(served.url + path);
    return [response.status, (await response.text()).replaceAll('&quot;', '"')];
  };
  const questions: readonly (readonly [path: string, status: number, says: RegExp])[] = [
    [
      `page?url=${url(`${SITE}docs/one`)}`,
      200,
      /How it was found.*Links to this page.*Links on this page.*Archive record/s,
    ],
    [`page?url=${url(`${SITE}docs/one#part`)}`, 200, /asked for/],
    [`page?url=${url(`${SITE}copy`)}`, 200, /Near to|The same as/],
    [`page?url=${url(`${SITE}secret/x`)}`, 200, /forbids it<\/b>: Disallow: \/secret\/ \(line 3\)/],
    [`page?url=${url(`${SITE}nowhere`)}`, 404, /has not met/],
    ['page?url=javascript:alert(1)', 400, /not an address of a web page/],
    [`page?url=${'x'.repeat(9000)}`, 400, /not an address/],
    ['host?name=SITE.test', 200, /Turn and delay/],
    [`host?name=site.test&url=${url(`${SITE}secret/y`)}`, 200, /Forbidden<\/b>.*class="decides">Disallow: \/secret\//s],
    ['host?name=site.test&url=/docs/', 200, /Allowed<\/b>: no rule matches/],
    ['host?name=other.test', 404, /has met no URL/],
    ['host', 400, /"name" is missing/],
    [`host?name=${'x'.repeat(301)}`, 400, /at most 300/],
    ['hosts?sort=pages&order=asc&q=site', 200, /aria-sort="ascending"/],
    ['hosts?q=none', 200, /No host matches/],
    ['hosts?sort=colour', 400, /"sort" is one of/],
    ['hosts?order=up', 400, /asc or desc/],
    ['hosts?after=zzz', 400, /no place in this list/],
    ['hosts?after=5n', 400, /no place in this list/],
    ['graph', 200, /18 pages/],
    ['graph?host=site.test&prefix=/docs/', 200, /aria-current="page">docs\//],
    ['graph?host=none.test', 200, /No indexed page lies here/],
    ['graph?host=site.test&prefix=docs', 400, /begins and ends with a slash/],
    ['graph?zoom=3', 400, /"zoom" is one of/],
  ];
  for (const [path, status, says] of questions) {
    const [answered, text] = await get(path);
    assert.equal(answered, status, path);
    assert.match(text, says, path);
  }
});
