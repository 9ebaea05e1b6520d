import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CrawlReader } from '../../src/crawl/report/crawl-reader.ts';
import { callProgram } from '../called-program.ts';
import { crawlAnyHosts, pageOf, textOf } from './any-host-web.ts';
import { changesIn, crawlUntil, DAY, largePage, serveSite } from './changing-site.ts';
import { temporaryFolder } from './crawl-web.ts';
import { StepClock } from './step-clock.ts';

/** Every page links to the first pages, so that these have the most PageRank, and to the next one. */
const PAGES = 24;
const pathOf = (page: number): string => (page === 0 ? '/' : `/p${page}`);
const linksOf = (page: number): number[] => [0, 1, 2, page + 1, 2 * page + 1].filter((to) => to < PAGES && to !== page);

/** By plain iteration, apart from the code that is tested. Every page has links. */
function trueRanks(): number[] {
  let ranks = Array.from({ length: PAGES }, () => 1 / PAGES);
  for (let round = 0; round < 200; round++) {
    const next = Array.from({ length: PAGES }, () => 0.15 / PAGES);
    for (let page = 0; page < PAGES; page++) {
      const links = [...new Set(linksOf(page))];
      for (const to of links) next[to] += (0.85 * ranks[page]) / links.length;
    }
    ranks = next;
  }
  return ranks;
}

test('the PageRank of the pages by the day of their first fetch is that of the graph', async () => {
  using folders = temporaryFolder();
  const crawl = join(folders.path, 'crawl');
  const web = ({ pathname }: URL) => {
    const page = pathname === '/' ? 0 : Number(/^\/p(\d+)$/.exec(pathname)?.[1]);
    return page < PAGES ? pageOf(pathname, textOf(pathname), linksOf(page).map(pathOf)) : undefined;
  };
  // Six hours between two requests: four pages or fewer a day.
  const slow = { delay: DAY / 4, maxWait: DAY, order: 'breadth-first' } as const;
  await crawlAnyHosts(web, crawl, ['http://site.test/'], slow, new StepClock(Date.UTC(2026, 10, 1)));

  const ranks = trueRanks();
  const days = new Map<number, number[]>();
  using reader = new CrawlReader(crawl);
  for (let page = 0; page < PAGES; page++) {
    const { history } = (await reader.explain(`http://site.test${pathOf(page)}`)).page ?? { history: [] };
    const at = history.find(({ kind }) => kind === 'stored')?.at ?? 0;
    const day = Math.floor(at / DAY);
    days.set(day, [...(days.get(day) ?? []), ranks[page] * PAGES]);
  }
  const expected = [...days].sort(([a], [b]) => a - b);
  assert.ok(expected.length >= 5, `${expected.length} days`);

  assert.equal((await callProgram(['index', '--dir', crawl])).status, 0);
  const plots = join(folders.path, 'plots');
  const json = await callProgram(['quality', '--dir', crawl, '--json', '--out', plots]);
  assert.equal(json.status, 0, json.stderr);
  const { pages, pageRank, age } = JSON.parse(json.stdout);
  assert.deepEqual([pages, pageRank.ranked, pageRank.by], [PAGES, PAGES, 'day']);
  assert.deepEqual(
    pageRank.bins.map((bin: { from: number; pages: number }) => [bin.from / DAY, bin.pages]),
    expected.map(([day, values]) => [day, values.length]),
  );
  for (const [at, [, values]] of expected.entries()) {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    assert.ok(Math.abs(pageRank.bins[at].pageRank - mean) < 1e-4, `day ${at}: ${pageRank.bins[at].pageRank}, ${mean}`);
  }
  // Nothing was visited again: copies grow older, and how far they are outdated cannot be told.
  assert.equal(age.at(-1).copies, PAGES);
  assert.ok(age.at(-1).sinceVisitDays > 2);
  assert.ok(!age.some((point: { ageDays?: number }) => point.ageDays !== undefined));
  for (const name of ['quality', 'age'])
    assert.match(readFileSync(join(plots, `${name}.svg`), 'utf8'), /^<svg .*<\/svg>\s*$/s);

  const text = await callProgram(['quality', '--dir', crawl]);
  const firstDay = new Date(expected[0][0] * DAY).toISOString().slice(0, 10);
  assert.match(text.stdout, new RegExp(`\\| ${firstDay} \\| +\\d \\| +\\d\\.\\d\\d \\|`));
  assert.match(text.stdout, /No rates of change are known/);
  const { stdout } = await callProgram(['status', '--dir', crawl]);
  const first = pageRank.bins[0].pageRank.toFixed(2);
  assert.match(
    stdout,
    new RegExp(
      `quality   PageRank of the pages by the day they came in, 1 = average \\(as of .* UTC\\):\\n +${first} `,
    ),
  );
  assert.match(stdout, /age {7}at .* UTC copies had been visited \d+(\.\d)? (h|days) before, on average/);
  assert.equal(JSON.parse((await callProgram(['status', '--dir', crawl, '--json'])).stdout).quality.pages, PAGES);

  const tenths = await callProgram(['quality', '--dir', crawl, '--by', 'tenth', '--json']);
  assert.equal(JSON.parse(tenths.stdout).pageRank.bins.length, 10);
});

test('without links, with a damaged file and with a folder that cannot be made', async () => {
  using folders = temporaryFolder();
  const crawl = join(folders.path, 'crawl');
  const web = ({ pathname }: URL) =>
    pathname === '/robots.txt' ? undefined : pageOf(pathname, textOf(pathname), ['/a']);
  await crawlAnyHosts(web, crawl, ['http://site.test/'], { index: false });
  const measured = await callProgram(['quality', '--dir', crawl]);
  assert.equal(measured.status, 0, measured.stderr);
  assert.match(measured.stdout, /PageRank needs the links between pages/);
  assert.match((await callProgram(['status', '--dir', crawl])).stdout, /age {7}at .* copies had been visited/);

  const kept = join(crawl, 'report', 'quality.json');
  writeFileSync(kept, '{"version": 1, "pages"');
  const status = await callProgram(['status', '--dir', crawl]);
  assert.equal(status.status, 0, status.stderr);
  assert.doesNotMatch(status.stdout, /age {7}/);
  rmSync(kept);

  const file = join(folders.path, 'file');
  writeFileSync(file, '');
  const refused = await callProgram(['quality', '--dir', crawl, '--out', join(file, 'plots')]);
  assert.match(refused.stderr, /FOLDER_UNWRITABLE/);
  assert.ok(!existsSync(kept), 'it is told before anything is done');
  assert.match((await callProgram(['quality', '--dir', join(folders.path, 'none')])).stderr, /FOLDER_NOT_A_CRAWL/);
});

test('the age of copies follows from the visits of a continuous crawl', async () => {
  using folder = temporaryFolder();
  const edited = (round: number): string => largePage('edited', textOf(`edited ${round}`, 60), [], 10);
  const pages = new Map([
    ['/', largePage('home', textOf('home', 60), ['/edited', '/still'], 10)],
    ['/edited', edited(0)],
    ['/still', largePage('still', textOf('still', 60), [], 10)],
  ]);
  using site = await serveSite(pages);
  let round = 0;
  await crawlUntil(folder.path, `${site.origin}/`, () => {
    if (site.times('GET', '/edited') > round) pages.set('/edited', edited(++round));
    return changesIn(folder.path).filter((change) => change === 'changed /edited').length >= 4;
  });
  using reader = new CrawlReader(folder.path);
  const courses = new Map([...reader.courses()].map((course) => [new URL(course.url).pathname, course]));
  const [often, never] = ['/edited', '/still'].map((path) => courses.get(path));
  assert.ok((often?.rate ?? 0) > (never?.rate ?? 1), 'a page that changes has the higher rate');
  assert.ok((never?.visits.length ?? 0) >= 2);
  assert.deepEqual(new Set(never?.visits.slice(1).map(({ found }) => found)), new Set(['same']));
  const { stdout, stderr } = await callProgram(['quality', '--dir', folder.path, '--json']);
  const { age } = JSON.parse(stdout || stderr);
  const last = age.at(-1);
  assert.ok(last.ageDays > 0 && last.ageDays < last.sinceVisitDays);
  // While both were visited again, one of them was always found changed.
  const both = age.filter((point: { looked: number }) => point.looked === 3);
  assert.ok(both.length > 0);
  assert.ok(both.every((point: { unchanged: number }) => point.unchanged === 2));
  assert.match((await callProgram(['status', '--dir', folder.path])).stdout, / were outdated for .* \(estimated\)/);
});
