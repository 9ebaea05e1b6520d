import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { textOf } from './any-host-web.ts';
import { changesIn, crawlUntil, largePage, serveSite } from './changing-site.ts';
import { temporaryFolder } from './crawl-web.ts';
import { StepClock } from './step-clock.ts';

test('a new crawl begins with the rates of change that an earlier one has learnt', async () => {
  using folders = temporaryFolder();
  const [first, second, plain, once] = ['first', 'second', 'plain', 'once'].map((name) => join(folders.path, name));
  for (const folder of [first, second, plain, once]) mkdirSync(folder);
  const edited = (round: number): string => largePage('edited', textOf(`edited ${round}`, 60), [], 10);
  const pages = new Map([
    ['/', largePage('home', textOf('home', 60), ['/edited', '/still'], 10)],
    ['/edited', edited(0)],
    ['/still', largePage('still', textOf('still', 60), [], 10)],
  ]);
  using site = await serveSite(pages);
  // One clock for all: time goes on from crawl to crawl.
  const clock = new StepClock();
  let round = 0;
  const isWatched = (): boolean => {
    if (site.times('GET', '/edited') > round) pages.set('/edited', edited(++round));
    return changesIn(first).filter((change) => change === 'changed /edited').length >= 5;
  };
  await crawlUntil(first, `${site.origin}/`, isWatched, {}, clock);
  const allNew = (folder: string) => () => changesIn(folder).length >= 3;
  const started = clock.now();
  await crawlUntil(second, `${site.origin}/`, allNew(second), { ratesFrom: [first], revisitLanes: 'rate' }, clock);
  await crawlUntil(plain, `${site.origin}/`, allNew(plain), {}, clock);

  const known = (folder: string) => {
    using reader = new CrawlReader(folder);
    return new Map(
      [...reader.courses()].map(({ url, rate = 0, firstAt }) => [new URL(url).pathname, { rate, firstAt }]),
    );
  };
  const [with_, without] = [known(second), known(plain)];
  const ratio = (pages: typeof with_): number =>
    (pages.get('/edited')?.rate ?? Number.NaN) / (pages.get('/still')?.rate ?? Number.NaN);
  assert.ok(ratio(with_) > 2, `${ratio(with_)} times as fast, as the first crawl has found`);
  assert.ok(ratio(with_) > 1.5 * ratio(without), `without it: ${ratio(without)}`);
  const lanes = (folder: string): Map<string, number> => {
    using db = new DatabaseSync(join(folder, 'state.db'), { readOnly: true });
    const rows = db.prepare('SELECT url, lane FROM revisit').all() as unknown as { url: string; lane: number }[];
    return new Map(rows.map(({ url, lane }) => [new URL(url).pathname, lane]));
  };
  assert.ok((lanes(second).get('/edited') ?? 9) < (lanes(second).get('/still') ?? 0), 'in front queues by their rates');
  assert.deepEqual(new Set(lanes(plain).values()), new Set([0]));
  assert.ok((with_.get('/edited')?.firstAt ?? 0) >= started, 'it was first fetched by this crawl');
  assert.deepEqual(
    changesIn(second)
      .slice(0, 3)
      .map((change) => change.split(' ')[0]),
    ['new', 'new', 'new'],
  );

  await crawlUntil(once, `${site.origin}/`, () => true, { continuous: false }, clock);
  const refused = (folder: string) =>
    crawlUntil(join(folders.path, 'x'), `${site.origin}/`, () => true, { ratesFrom: [folder] });
  await assert.rejects(refused(once), { code: 'SETTING_INVALID', message: /knows no rates of change/ });
  await assert.rejects(refused(join(folders.path, 'none')), { code: 'FOLDER_NOT_A_CRAWL' });
});
