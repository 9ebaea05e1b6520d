import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sha1Base32 } from '../../src/archive/sha1-base32.ts';
import { resolveSettings } from '../../src/base/settings/resolve-settings.ts';
import type { ForeignFileReport } from '../../src/contracts/foreign-capture.ts';
import { openCrawl } from '../../src/crawl/assemble.ts';
import { CrawlReader, type CrawlSummary, type CreateCrawlSettings, createCrawl } from '../../src/index.ts';
import { gzipMembers, httpAnswer, pageOf, response, warcRecord } from '../foreign-archive.ts';
import { temporaryFolder } from './crawl-web.ts';

interface Imported {
  readonly summary: CrawlSummary;
  readonly reports: readonly ForeignFileReport[];
}

async function importInto(
  folder: string,
  fromWarc: readonly string[],
  more: Partial<CreateCrawlSettings> = {},
  during: (crawl: Awaited<ReturnType<typeof openCrawl>>) => void = () => {},
): Promise<Imported> {
  const { settings } = resolveSettings({ overrides: { fromWarc, workers: 0, index: false, ...more } });
  let reports: readonly ForeignFileReport[] = [];
  await using crawl = await openCrawl({
    ...{ folder, settings, version: '0' },
    archives: {
      importing: true,
      onReports: (found) => {
        reports = found;
      },
    },
  });
  during(crawl);
  return { summary: await crawl.run(), reports };
}

function countsOf(reports: readonly ForeignFileReport[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { counts } of reports) for (const [kind, n] of Object.entries(counts)) sum[kind] = (sum[kind] ?? 0) + n;
  return sum;
}

const HOME = pageOf('Home of spiders', 'Jumping spiders have four pairs of eyes and leap upon their prey.', [
  'https://site.example/about',
  'https://elsewhere.example/',
]);
const LATER = pageOf('Home of spiders', 'Jumping spiders see in colour, and court with dances of many steps.');
const digest = `sha1:${sha1Base32(Buffer.from(HOME))}`;

test('captures become versions, with the dates of the capture; what is no page is counted', async () => {
  using temporary = temporaryFolder();
  const [files, folder] = [join(temporary.path, 'files'), join(temporary.path, 'crawl')];
  mkdirSync(files);
  const url = 'https://site.example/';
  const post = { 'WARC-Record-ID': '<urn:uuid:1>' };
  writeFileSync(
    join(files, 'a.warc.gz'),
    gzipMembers([
      warcRecord({ type: 'warcinfo', block: 'software: another' }),
      response(url, HOME, { date: '2020-01-01T00:00:00Z', fields: { 'WARC-Payload-Digest': digest } }),
      warcRecord({ type: 'request', url, block: 'GET / HTTP/1.1\r\n\r\n' }),
      // Only the digest says whose body it has; it lies after a newer capture.
      response(url, LATER, { date: '2022-01-01T00:00:00Z' }),
      warcRecord({
        type: 'revisit',
        url,
        date: '2021-01-01T00:00:00Z',
        fields: { 'WARC-Payload-Digest': digest },
        block: httpAnswer(''),
      }),
      warcRecord({
        type: 'revisit',
        url: 'https://site.example/lost',
        fields: { 'WARC-Payload-Digest': 'sha1:NOBODY' },
        block: '',
      }),
      warcRecord({
        type: 'response',
        url: 'https://site.example/old',
        block: httpAnswer('', { status: 301, headers: 'Location: /about\r\n' }),
      }),
      response('https://site.example/robots.txt', 'User-agent: *\nDisallow: /', {}),
      response('https://site.example/form', pageOf('Answer', 'to a form'), { fields: post }),
      warcRecord({
        type: 'request',
        url: 'https://site.example/form',
        fields: { 'WARC-Concurrent-To': post['WARC-Record-ID'] },
        block: 'POST /form HTTP/1.1\r\n\r\nq=1',
      }),
      warcRecord({
        type: 'resource',
        url: 'https://site.example/note.txt',
        fields: { 'Content-Type': 'text/plain' },
        block: 'A note on spiders that was kept as a file.',
      }),
      warcRecord({
        type: 'conversion',
        url,
        date: '2020-01-01T00:00:00Z',
        fields: { 'Content-Type': 'text/plain' },
        block: 'text',
      }),
      warcRecord({
        type: 'conversion',
        url: 'https://site.example/wet',
        fields: { 'Content-Type': 'text/plain' },
        block: 'Only the text of this page was kept by whoever fetched it.',
      }),
      response('https://site.example/secret', HOME.replace('<title>', '<meta name="robots" content="noindex"><title>')),
    ]),
  );
  // A file that is compressed as a whole; the same record as above lies in it once more.
  writeFileSync(
    join(files, 'b.warc.gz'),
    gzipSync(
      Buffer.concat([
        response('https://site.example/about', pageOf('About us', 'We keep spiders, and write about how they live.')),
        response(url, HOME, { date: '2020-01-01T00:00:00Z' }),
        Buffer.from('garbage between records\r\n'),
        warcRecord({
          type: 'response',
          url: 'https://site.example/chunked',
          block: httpAnswer(`${HOME.length.toString(16)}\r\n${HOME}\r\n0\r\n\r\n`, {
            headers: 'Transfer-Encoding: chunked\r\n',
          }),
        }),
        response('https://site.example/cut', 'cut').subarray(0, -9),
      ]),
    ),
  );

  const { summary, reports } = await importInto(folder, [files], { storeNoindex: false });
  assert.equal(summary.ended, 'finished');
  const counts = countsOf(reports);
  assert.equal(counts['answers to forms'], 1);
  assert.equal(counts.repeated, 1);
  assert.equal(counts.request, 2);
  const refused = reports.flatMap((report) => report.refused.map(({ why }) => why)).join('; ');
  assert.match(refused, /does not lead to the next record/);
  assert.match(refused, /the record is cut/);

  {
    using reader = new CrawlReader(folder);
    const versions = await reader.versions(url);
    assert.deepEqual(
      versions.map(({ date }) => new Date(date).getUTCFullYear()),
      [2020, 2021, 2022],
    );
    assert.equal(Buffer.from((await reader.get(url)).body).toString(), LATER);
    assert.equal(Buffer.from((await reader.get(url, Date.UTC(2021, 0, 1))).body).toString(), HOME);
    assert.equal(Buffer.from((await reader.get('https://site.example/chunked')).body).toString(), HOME);
    assert.match((await reader.textOf(await reader.get('https://site.example/wet'))) ?? '', /Only the text/);
    assert.equal((await reader.get('https://site.example/note.txt')).rawHeaders[1], 'text/plain');
    const endings = Object.fromEntries(
      [...reader.pages()].map(({ url: page, outcome }) => [new URL(page).pathname, outcome]),
    );
    assert.deepEqual(endings['/old'], { kind: 'redirected', to: 'https://site.example/about' });
    assert.match(JSON.stringify(endings['/lost']), /archive.*only that it was as before/);
    assert.match(JSON.stringify(endings['/secret']), /directive.*noindex/);
    assert.deepEqual([endings['/robots.txt'], endings['/form'], endings['/cut']], [undefined, undefined, undefined]);
    assert.match(JSON.stringify(await reader.explain('https://elsewhere.example/')), /not in the archive/);
    const changed = [...reader.changes({})].filter((change) => change.url === url);
    assert.deepEqual(changed.map(({ change, at }) => `${change.kind} ${new Date(at).getUTCFullYear()}`).sort(), [
      'changed 2022',
      'new 2020',
    ]);
  }

  // Once more, also after its spool is gone: nothing comes twice, and nobody is asked for anything.
  rmSync(join(folder, 'foreign'), { recursive: true });
  const again = await importInto(folder, [files, join(files, 'a.warc.gz')], { storeNoindex: false });
  assert.deepEqual([again.summary.pages, again.summary.requests], [summary.pages, summary.requests]);

  // A later file: one more version, whose body the folder itself holds by now.
  const about = pageOf('About us', 'We keep spiders, and write about how they live.');
  const later = join(temporary.path, 'later.warc');
  const refersTo = {
    'WARC-Refers-To-Target-URI': 'https://site.example/about',
    'WARC-Refers-To-Date': '2020-01-02T03:04:05Z',
  };
  writeFileSync(
    later,
    warcRecord({
      type: 'revisit',
      url: 'https://site.example/about',
      date: '2024-01-01T00:00:00Z',
      fields: refersTo,
      block: '',
    }),
  );
  await importInto(folder, [later], { storeNoindex: false });
  using reader = new CrawlReader(folder);
  const versions = await reader.versions('https://site.example/about');
  assert.deepEqual(
    versions.map(({ date }) => new Date(date).getUTCFullYear()),
    [2020, 2024],
  );
  assert.equal(Buffer.from((await reader.get('https://site.example/about')).body).toString(), about);
});

test('an import that is stopped goes on; a folder of the web takes none', async () => {
  using temporary = temporaryFolder();
  const [file, folder] = [join(temporary.path, 'x.warc'), join(temporary.path, 'crawl')];
  const urls = Array.from({ length: 60 }, (_, at) => `https://host${at % 3}.example/${at}`);
  writeFileSync(file, Buffer.concat(urls.map((url) => response(url, pageOf(url, `The page at ${url} says this.`)))));
  let settled = 0;
  const first = await importInto(folder, [file], { concurrency: 2 }, (crawl) => {
    crawl.on('settled', () => {
      if (++settled === 10) crawl.stop();
    });
  });
  assert.equal(first.summary.ended, 'stopped');
  assert.ok(first.summary.pages < urls.length);
  const second = await importInto(folder, [file]);
  assert.equal(second.summary.ended, 'finished');
  assert.equal(second.summary.pages, urls.length);
  assert.equal(second.summary.requests, urls.length);

  const { settings } = resolveSettings({ overrides: { fromWarc: [file], workers: 0, index: false } });
  const rerun = join(temporary.path, 're-run');
  {
    await using crawl = await openCrawl({ folder: rerun, settings, version: '0' });
    await crawl.addSeeds([urls[0], 'https://host0.example/nothing']);
    const { outcomes, refused } = await crawl.run();
    assert.deepEqual([outcomes.stored, refused.archive], [1, 1]);
  }
  await assert.rejects(importInto(rerun, [file]), { code: 'USAGE' });
});

test('pages count their links from where they were asked for, however their URLs are written', async () => {
  using temporary = temporaryFolder();
  const [files, folder] = [join(temporary.path, 'files'), join(temporary.path, 'crawl')];
  mkdirSync(files);
  const folderPage = pageOf('Folder', 'Spiders of the folder, with enough words to be a page of its own.', ['leaf']);
  const asOurs = pageOf('Ours', 'Another folder with other spiders, fetched by a crawl that strips slashes.', ['leaf']);
  const moved = (location: string) =>
    warcRecord({
      type: 'response',
      url: 'https://site.example/a',
      date: '2021-01-01T00:00:00Z',
      block: `HTTP/1.1 301 Moved\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`,
    });
  writeFileSync(
    join(files, 'a.warc.gz'),
    gzipMembers([
      response('https://site.example/a/', folderPage, { date: '2020-01-01T00:00:00Z' }),
      moved('/a/'),
      response('https://site.example/ours', asOurs, {
        date: '2020-01-01T00:00:00Z',
        fields: { 'X-Requested-URI': 'https://site.example/ours/' },
      }),
      ...['http://[', 'https:', 'javascript:alert(1)', `https://site.example/${'x'.repeat(20_000)}`].map((odd, at) =>
        response(`https://site.example/odd${at}`, pageOf(`Odd ${at}`, `Odd page number ${at}.`, ['leaf']), {
          date: '2020-01-01T00:00:00Z',
          fields: { 'X-Requested-URI': odd },
        }),
      ),
    ]),
  );
  for (const importing of [true, false]) {
    const into = `${folder}-${importing}`;
    const settings = { trailingSlash: 'strip', robots: false } as const;
    if (importing) await importInto(into, [files], settings);
    else {
      const seeds = ['https://site.example/a', 'https://site.example/ours'];
      await using crawl = await createCrawl({
        ...{ folder: into, seeds, fromWarc: [files], workers: 0, index: false, ...settings },
      });
      await crawl.run();
    }
    using reader = new CrawlReader(into);
    for (const at of importing ? [0, 1, 2, 3] : []) {
      const copy = await reader.get(`https://site.example/odd${at}`);
      assert.deepEqual(
        (await reader.linksOf(copy)).map(({ url }) => url),
        ['https://site.example/leaf'],
      );
    }
    for (const name of ['a', 'ours']) {
      const copy = await reader.get(`https://site.example/${name}`);
      assert.equal(copy.status, 200, name);
      assert.equal(copy.address, `https://site.example/${name}/`);
      assert.deepEqual(
        (await reader.linksOf(copy)).map(({ url }) => url),
        [`https://site.example/${name}/leaf`],
      );
    }
  }
});
