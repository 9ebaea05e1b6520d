import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '../../../../src/base/clock.ts';
import { FolderReport } from '../../../../src/crawl/report/site/folder-report.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';
import { known, page } from '../../crawl/report/known-urls.ts';
import { serve } from '../serving.ts';
import { HOSTILE, reportedFolder } from './reported-folder.ts';

describe('The site report in the browser', () => {
  const folder = temporaryFolder();
  let served: Awaited<ReturnType<typeof serve>>;
  let siteReport: FolderReport;

  before(async () => {
    const many = Array.from({ length: 250 }, (_, at) => page(`/p${String(at).padStart(3, '0')}`, { bytes: at }));
    siteReport = reportedFolder(folder.path, [
      ...many,
      page('/hostile', { title: HOSTILE, canonical: 'javascript:alert(3)', directives: [HOSTILE], mediaType: HOSTILE }),
      page('/formula', { title: '=HYPERLINK("http://evil.test","x")' }),
      page('http://site.test/q?a=%22%3E%3Cscript%3Ealert(4)%3C/script%3E'),
      known('/gone', { outcome: { kind: 'gone', status: 404 }, status: 404 }),
    ]);
    served = await serve({ siteReport });
  });
  after(async () => {
    await served[Symbol.asyncDispose]();
    await siteReport[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test('pages by keys show every URL once, forwards and back', async () => {
    const urls: string[] = [];
    let link: string | undefined = '/report?view=pages&sort=-bytes';
    let last = '';
    while (link !== undefined) {
      const { status, text } = await served.get(link);
      assert.equal(status, 200);
      urls.push(
        ...[...text.matchAll(/<td class="address"><span class="both"><a href="\/page\?url=([^"]+)"/g)].map(
          ([, url]) => url,
        ),
      );
      last = link;
      link = /rel="next" href="([^"]+)"/.exec(text)?.[1].replaceAll('&amp;', '&');
    }
    assert.equal(new Set(urls).size, 253);
    assert.equal(urls.length, 253 + urls.filter((url) => url.includes('javascript')).length);
    const { text } = await served.get(last);
    const previous = /rel="prev" href="([^"]+)"/.exec(text)![1].replaceAll('&amp;', '&');
    assert.match((await served.get(previous)).text, /101–200 of 253 URLs|101&#8211;200 of 253 URLs/);
  });

  test('nothing of a page becomes markup', async () => {
    for (const columns of ['', '&columns=all']) {
      const { text } = await served.get(
        `/report?view=pages&filter=url%7Ehostile${columns}&filter=${encodeURIComponent('title!~"><script>nothing')}`,
      );
      assert.match(text, /1 URL/);
      assert.doesNotMatch(text, /<script>|<img src=x|href="javascript:/);
      assert.match(text, /&lt;script&gt;document\.title/);
    }
    const { text } = await served.get('/report?view=pages&filter=url%7Ealert');
    assert.doesNotMatch(text, /<script>alert/);
  });

  test('forms become addresses: one more filter, other columns', async () => {
    const added = await served.get('/report?view=pages&filter=depth%3C%3D3&sort=-bytes&fc=bytes&fo=%3E%3D&fv=200');
    assert.equal(added.status, 303);
    assert.equal(added.headers.location, '/report?view=pages&filter=depth%3C%3D3&filter=bytes%3E%3D200&sort=-bytes');
    assert.match((await served.get(String(added.headers.location))).text, /50 of 53 URLs|53 URLs|1–53/);
    const missing = await served.get('/report?view=pages&fc=canonical&fo=some&fv=');
    assert.equal(missing.headers.location, '/report?view=pages&filter=canonical%21%3D');
    const chosen = await served.get('/report?view=pages&column=title&column=url');
    assert.equal(chosen.headers.location, '/report?view=pages&columns=title%2Curl');
  });

  test('exports hold what is seen, all of it, safe for spreadsheets', async () => {
    const csv = await served.get('/report.csv?view=pages&sort=bytes&filter=title%7EHYPERLINK&columns=url,title');
    assert.equal(csv.text, `url,title\r\nhttp://site.test/formula,"'=HYPERLINK(""http://evil.test"",""x"")"\r\n`);
    assert.match(String(csv.headers['content-disposition']), /^attachment; filename="[\w.-]+\.csv"$/);
    assert.match(String(csv.headers['content-security-policy']), /sandbox/);
    const { text } = await served.get('/report.jsonl?view=all&columns=url');
    assert.equal(text.trim().split('\n').length, 254);
    const head = await served.get('/report.csv', {}, 'HEAD');
    assert.equal(head.text, '');
  });

  test('as JSON, a page at a time', async () => {
    const first = JSON.parse((await served.get('/report.json?view=all&limit=200')).text);
    assert.equal(first.total, 254);
    const second = JSON.parse((await served.get(`/report.json?view=all&limit=200&after=${first.next}`)).text);
    assert.equal(first.rows.length + second.rows.length, 254);
    assert.equal(second.next, undefined);
    assert.equal(second.skipped, 200);
  });

  test('what makes no sense is refused, and says why', async () => {
    for (const query of [
      'view=x',
      'sort=x',
      'columns=x',
      'filter=x',
      'filter=status%7Ex',
      'after=x',
      'limit=0',
      'limit=x',
      'after=a&before=b',
    ])
      for (const path of ['/report', '/report.json', '/report.csv'])
        assert.equal((await served.get(`${path}?${query}`)).status, 400, `${path}?${query}`);
    const filters = Array.from({ length: 11 }, () => 'filter=depth%3E0').join('&');
    assert.equal((await served.get(`/report?${filters}`)).status, 400);
  });

  test('without a crawl there is none', async () => {
    await using bare = await serve({});
    assert.equal((await bare.get('/report')).status, 404);
    assert.equal((await bare.get('/report.json')).status, 404);
  });
});

describe('A report that cannot be made', () => {
  test('is told with its reason, and asked for again', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'state.db'), 'no state');
    await using siteReport = new FolderReport(folder.path, systemClock);
    await using served = await serve({ siteReport });
    let got = await served.get('/report');
    // On a busy machine the page comes before the reason is known, and asks again by itself.
    for (const end = Date.now() + 250_000; got.status === 200 && Date.now() < end; got = await served.get('/report'))
      assert.equal(got.headers.refresh, '2');
    assert.equal(got.status, 500);
    assert.match(got.text, /could not be made/);
  });
});
