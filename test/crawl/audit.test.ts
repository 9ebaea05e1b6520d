import assert from 'node:assert/strict';
import { readdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { resolveSettings } from '../../src/base/settings/resolve-settings.ts';
import { formatCrawlAudit } from '../../src/cli/output/show-audit.ts';
import { type AuditOptions, auditCrawl, type CrawlAudit } from '../../src/crawl/audit/audit-crawl.ts';
import { politenessNote } from '../../src/crawl/audit/politeness-note.ts';
import { createCrawl } from '../../src/index.ts';
import { startSyntheticWeb } from '../../src/simulate/server/web-server.ts';
import { listening } from '../unit/fetch/loopback.ts';
import { crawlWeb, temporaryFolder } from './crawl-web.ts';

const WEB = { hosts: 4, pagesPerHost: 6, crawlDelaySeconds: 0.1, retryAfterSeconds: 1, slowRobotsMs: 20, seed: 71 };

const ROBOTS = 'User-agent: somebody\nAllow: /\n\nUser-agent: *\nDisallow: /private/\n';

async function auditOf(folder: string, more: Partial<AuditOptions> = {}): Promise<CrawlAudit> {
  const { settings } = resolveSettings({});
  return await auditCrawl({
    ...{ folders: [folder], agent: 'orbweaver', note: politenessNote(settings), overrules: {}, robots: true },
    ...more,
  });
}

function counts({ checks }: CrawlAudit): Record<string, number> {
  return Object.fromEntries(
    Object.entries(checks).flatMap(([name, { count }]) => (count === 0 ? [] : [[name, count]])),
  );
}

describe('the audit of a crawl by its own archive', () => {
  test('finds no violation where the log of the servers shows none, and covers every answer', async () => {
    using folder = temporaryFolder();
    await using web = await startSyntheticWeb(WEB);
    await crawlWeb(web, folder.path, { delay: 40 });
    const report = await auditOf(folder.path);
    assert.deepEqual(counts(report), {});
    assert.ok(report.passed);
    const answered = [...web.log].filter(({ complete }) => complete).length;
    assert.ok(
      report.requests <= web.log.length && report.requests >= answered * 0.9,
      `${report.requests} of ${answered}`,
    );
    assert.equal(report.hosts, new Set([...web.log].map(({ host }) => host)).size);
    assert.ok(report.pauses.host.pauses > 0 && (report.pauses.host.leastMargin ?? -99) >= -1);
    assert.deepEqual(Object.keys(report.agents), ['Orbweaver/0.1.0']);
    const lines = formatCrawlAudit(report).split('\n');
    assert.match(lines[0], /^\d+ requests with an archived answer/);
    assert.equal(lines.at(-2), 'No violation.');
  });

  test('finds planted violations: pauses, parallel requests, robots.txt that nobody read', async () => {
    using folder = temporaryFolder();
    await using web = await startSyntheticWeb(WEB);
    await crawlWeb(web, folder.path, { delay: 0, hostConcurrency: 4, robots: false });
    // By its own rules, which the archive names, it did nothing wrong.
    assert.deepEqual(counts(await auditOf(folder.path, { robots: false })), {});
    const { settings } = resolveSettings({ overrides: { delay: 5000 } });
    const found = counts(await auditOf(folder.path, { overrules: politenessNote(settings) }));
    assert.deepEqual(Object.keys(found).sort(), ['beforeRobots', 'hostPause', 'parallel']);
    const { checks, requests } = await auditOf(folder.path, { overrules: politenessNote(settings) });
    assert.equal(checks.beforeRobots.count, requests);
    // One rule alone: the others stay those of the crawl, which rested for nothing.
    const one = counts(await auditOf(folder.path, { robots: false, overrules: { hostConcurrency: 1 } }));
    assert.ok(one.parallel > 0);
    const both = await auditOf(folder.path, {
      robots: false,
      overrules: { delay: 5000, politeness: 'host+ip+domain' },
    });
    assert.ok(both.checks.addressPause.count > 0 && both.checks.domainPause.count > 0);
    assert.equal(counts(both).parallel, undefined);
    assert.match(checks.hostPause.examples[0], /^http:\S+: -?\d+ ms after the one before, 5000 owed$/);
  });

  test('finds pages that robots.txt disallows for this crawler, with the rule', async () => {
    using folder = temporaryFolder();
    const server = createServer(({ url }, response) => {
      const isRobots = url === '/robots.txt';
      response.writeHead(200, { 'content-type': isRobots ? 'text/plain' : 'text/html' });
      response.end(isRobots ? ROBOTS : `<title>${url}</title><a href="/private/a">a</a> <a href="/b">b</a>`);
    });
    await using site = await listening(server);
    // Under another name, for which other rules hold.
    await using crawl = await createCrawl({
      ...{ folder: folder.path, seeds: [`http://127.0.0.1:${site.port}/`], robotsAgent: 'somebody' },
      ...{ allowPrivate: true, delay: 0, workers: 0, sitemaps: 'off', index: false },
    });
    await crawl.run();
    const report = await auditOf(folder.path, { overrules: { robotsNames: 'orbweaver' } });
    // The archive says under which name it was.
    const other = await auditOf(folder.path);
    assert.deepEqual(counts(other), {});
    assert.deepEqual(counts(report), { disallowed: 1 });
    assert.match(report.checks.disallowed.examples[0], /\/private\/a: by Disallow: \/private\//i);
  });

  test('rules that redirects lead to are no pages, whichever file of whichever thread names them first', async () => {
    using folder = temporaryFolder();
    const server = createServer(({ url, headers }, response) => {
      const [name] = (headers.host ?? '').split(':');
      const number = name.replace(/\D/g, '');
      if (url === '/robots.txt' && name.startsWith('a'))
        return void response.writeHead(302, { location: `http://t${number}.test:${site.port}/rules.txt` }).end();
      const isText = url === '/robots.txt' || url === '/rules.txt';
      response.writeHead(200, { 'content-type': isText ? 'text/plain' : 'text/html' });
      if (url === '/robots.txt') response.end('User-agent: *\nDisallow: /rules.txt\n');
      else response.end(isText ? 'User-agent: *\nDisallow: /private/\n' : `<title>${name}${url}</title>`);
    });
    await using site = await listening(server);
    const numbers = [0, 1, 2, 3, 4, 5];
    const names = numbers.flatMap((number) => [`a${number}.test`, `t${number}.test`]);
    await using crawl = await createCrawl({
      ...{ folder: folder.path, seeds: numbers.map((number) => `http://a${number}.test:${site.port}/`) },
      ...{ hosts: Object.fromEntries(names.map((name) => [name, '127.0.0.1'])) },
      ...{ allowPrivate: true, delay: 0, workers: 2, sitemaps: 'off', index: false, nearDuplicates: false },
    });
    await crawl.run();
    const report = await auditOf(folder.path);
    assert.equal(report.statuses['200'], 12);
    assert.deepEqual(counts(report), {});
  });

  test('Crawl-delay is owed from when the file is known, not while redirects lead to it', async () => {
    using folder = temporaryFolder();
    const hops = ['/robots.txt', '/policies/one', '/policies/two', '/policies/robots.txt'];
    const server = createServer(({ url = '' }, response) => {
      const next = hops.includes(url) ? hops[hops.indexOf(url) + 1] : undefined;
      if (next !== undefined) return void response.writeHead(301, { location: next }).end();
      if (url === hops.at(-1)) response.end('User-agent: *\nCrawl-delay: 0.3\n');
      else response.setHeader('content-type', 'text/html').end('<a href="/a">a</a><a href="/b">b</a>');
    });
    await using site = await listening(server);
    await using crawl = await createCrawl({
      ...{
        folder: folder.path,
        seeds: [`http://127.0.0.1:${site.port}/`],
        allowPrivate: true,
        sitemaps: 'off',
        index: false,
      },
      ...{ delay: 20, delayFactor: 0, workers: 0, softNotFound: false },
    });
    await crawl.run();
    const report = await auditOf(folder.path);
    assert.deepEqual([report.requests, counts(report)], [hops.length + 3, {}]);
    // A crawl that had kept to its own delay alone would be found out.
    const shortest = report.pauses.host.leastMargin ?? Number.POSITIVE_INFINITY;
    assert.ok(shortest < 250, `owed 20 ms between hops, 300 between pages: ${shortest} more than owed`);
  });

  test('a folder that is named twice counts once; an archive without requests proves nothing, a damaged one less', async () => {
    using folder = temporaryFolder();
    await using web = await startSyntheticWeb({ ...WEB, hosts: 1 });
    const [own, ofFiles] = [join(folder.path, 'own'), join(folder.path, 'of-files')];
    await crawlWeb(web, own, { delay: 40 });
    const link = join(folder.path, 'link');
    symlinkSync(own, link);
    const { requests } = await auditOf(own);
    const twice = await auditOf(own, { folders: [own, link, own] });
    assert.equal(twice.requests, requests);
    assert.deepEqual(counts(twice), {});
    const archive = join(own, 'archive');
    const [file] = readdirSync(archive).filter((name) => name.endsWith('.warc.gz'));
    truncateSync(join(archive, file), statSync(join(archive, file)).size - 100);
    assert.equal(
      formatCrawlAudit(await auditOf(own))
        .split('\n')
        .at(-2),
      'No violation in what can be read.',
    );
    writeFileSync(join(folder.path, 'page.html'), '<title>a page</title>');
    await using crawl = await createCrawl({
      ...{ folder: ofFiles, seeds: [pathToFileURL(join(folder.path, 'page.html')).href] },
      ...{ workers: 0, index: false },
    });
    await crawl.run();
    await assert.rejects(auditOf(ofFiles), { code: 'FOLDER_NOT_A_CRAWL', message: /holds no request/ });
  });
});
