import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { FolderControl } from '../../src/crawl/control/folder-control.ts';
import { Chromium, findChromium } from './chromium.ts';
import type { BrowserTab } from './dev-tools.ts';
import { DrivenApp } from './driven-app.ts';
import { crawlHostileSite, FORMULAS, ODD, SITE, serveHostileCrawl } from './hostile-crawl.ts';
import { countShifts, findingsOf } from './seen-view.ts';

const found = findChromium();
const skip = 'missing' in found ? found.missing : false;

const url = (text: string): string => encodeURIComponent(text);
const at = (path: string): string => `url=${url(SITE + path)}`;
/** What somebody typed into a form of the control page. */
const PATTERN = 'site.test/<script>window.owned=20</script>/*';

/** Where values of strangers are shown, and what must be on the page as text: none of it may be left out to be safe. */
const PAGES: readonly (readonly [path: string, ...shows: string[]])[] = [
  [''],
  ['search?q=window.owned', 'onerror=window.owned'],
  ['search?q=paper', 'PDF "\'><img src=x'],
  ['search?q=letter', 'Office "\'><img src=x'],
  [`search?q=${url('"><script>window.owned=21</script>')}`, '<script>window.owned=21'],
  ['dashboard', '<img src=x'],
  ['dashboard?span=10m', 'site.test'],
  ['control', PATTERN],
  ['hosts', 'site.test'],
  [`hosts?q=${url('<script>window.owned=6</script>')}`, 'window.owned=6'],
  [`host?name=site.test&url=${url('/secret/<script>window.owned=7</script>')}`, '<script>window.owned=2'],
  ['page'],
  [`page?url=${url(ODD)}`, '<script>window.owned=5</script>', '<img src=x'],
  [`page?${at('docs/one')}`, '<img src=x'],
  [`page?${at('gone')}`, 'HTTP 404'],
  [`page?${at('broken')}`, 'http-500'],
  [`page?${at('secret/x')}`, 'Disallow: /secret/'],
  [`page?${at('away')}`, 'away'],
  [`page?${at('file.pdf')}`, 'PDF "\'><img src=x', 'filename="%3Cscript'],
  [`page?${at('file.docx')}`, 'Office "\'><img src=x', "filename*=UTF-8''%3Cimg"],
  [`page?${at('feed')}`, 'Feed "\'><img src='],
  [`page?${at('saved')}`, 'filename="<svg onload=window.owned=12>.html"'],
  [`cached?${at('docs/one')}&as=text`, '<img src=x'],
  [`cached?${at('file.pdf')}`, 'A stored paper'],
  [`cached?${at('file.docx')}`, 'A letter'],
  ['graph', 'site.test'],
  ['graph?host=site.test', 'onload=window.owned'],
  ['graph?host=site.test&prefix=/docs/&zoom=2', 'onload=window.owned'],
  ['changes'],
  [`versions?url=${url(ODD)}`, 'onerror'],
  ['report?view=all&columns=all', '"\'><img src=x', '=HYPERLINK'],
  ['report?view=robots&columns=all', 'Disallow: /secret/'],
  [`report?filter=${url('title~<script>window.owned=22</script>')}`, '<script>window.owned=22'],
];

/** Those that answer with an error on purpose, with what was asked for in it. */
const ERRORS = [
  `page?url=${url(`${SITE}never-met?<script>window.owned=8</script>`)}`,
  `host?name=${url('<b>none<script>window.owned=23</script>')}`,
  `cached?url=${url(`${SITE}none<script>window.owned=24</script>`)}`,
  `hosts?sort=${url('<script>window.owned=25</script>')}`,
  `report?view=${url('<script>window.owned=26</script>')}`,
  `no-such-page/${url('<script>window.owned=27</script>')}`,
  `login?to=${url('"><script>window.owned=28</script>')}`,
];

/** For programs; a browser that is led there shows text, and runs nothing. */
const FOR_PROGRAMS = [
  ...[
    'api/v1/search?q=window.owned',
    `api/v1/explain?url=${url(ODD)}`,
    'api/v1/hosts',
    'api/v1/pages',
    'api/v1/control',
  ],
  ...[`api/v1/search?q=${url('"')}&page=${url('<script>window.owned=30</script>')}`, 'dashboard.json', 'metrics'],
  ...[
    `api/v1/explain?url=${url('<script>window.owned=31</script>')}`,
    `api/v1/${url('<script>window.owned=32</script>')}`,
  ],
  ...['search.rss?q=window.owned', 'changes.atom', 'changes.json', 'report.json?view=all', 'suggest?q=window'],
  ...[`mcp?${url('<script>window.owned=33</script>')}`, 'api/complete?q=window'],
];

/** What has run, or become markup, on the page that is open. */
async function ran(tab: BrowserTab): Promise<string> {
  return await tab.evaluate<string>(`[window.owned, ...[...document.querySelectorAll(
    'main script, main img[src=x], main [onerror], main [onload], main iframe, [href^="javascript:"], [src^="javascript:"]')]
    .map((part) => part.outerHTML)].filter((part) => part !== undefined).join(' ')`);
}

test('markup from crawled pages runs nowhere; no page complains, shifts, or fails axe, light or dark, wide or narrow', {
  skip,
  timeout: 1_200_000,
}, async () => {
  await using served = await serveHostileCrawl();
  {
    using control = new FolderControl(served.folder);
    control.ask({ kind: 'pattern', pattern: PATTERN, state: 'hold' }, 'page');
    control.ask({ kind: 'submit', urls: [`${SITE}<script>window.owned=34</script>`] }, 'page');
  }
  // The report is made when it is first asked for.
  for (;;) if ((await (await fetch(`${served.url}report.json?view=all`)).text()).includes('"rows"')) break;
  await using chromium = await Chromium.start('path' in found ? found.path : '');
  const tab = await chromium.openTab();
  await countShifts(tab);
  const wrong: string[] = [];
  for (const [number, [path, ...shows]] of PAGES.entries()) {
    await tab.prefer(number % 2 === 0 ? 'light' : 'dark');
    for (const width of [1280, 360]) {
      await tab.resize(width, 900, width < 500);
      await tab.open(served.url + path);
      const seen = await tab.evaluate<Record<string, unknown>>(`({
        shift: window.shift > 0.02 ? window.shift : 0,
        wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
        missing: ${JSON.stringify(shows)}.filter((text) => ![document.documentElement.textContent, ...[...document.querySelectorAll('input')].map(({ value }) => value)].some((shown) => shown.includes(text))).join(' '),
        nav: document.querySelectorAll('nav.sections a').length })`);
      const good = { shift: 0, wide: false, missing: '', nav: 7 };
      for (const [name, value] of Object.entries({ ...good, ran: '' }))
        if ({ ...seen, ran: await ran(tab) }[name] !== value)
          wrong.push(`${path} at ${width}: ${name} is ${{ ...seen, ran: await ran(tab) }[name]}`);
    }
    wrong.push(...(await findingsOf(tab)).map((finding) => `${path}: ${finding}`));
  }
  assert.deepEqual(wrong, []);
  assert.deepEqual(tab.complaints, []);
  for (const path of [...ERRORS, ...FOR_PROGRAMS]) {
    const answer = await fetch(served.url + path);
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', path);
    await tab.open(served.url + path);
    assert.equal(await ran(tab), '', path);
  }
  assert.deepEqual(tab.dialogs, []);
  const foreign = [...tab.requests.values()].filter(
    (asked) => !asked.startsWith(served.url) && !asked.startsWith('data:'),
  );
  assert.deepEqual(foreign, [], 'nothing is asked for elsewhere');

  // A stored page is drawn, and no more than that.
  await tab.open(`${served.url}cached?url=${url(ODD)}`);
  assert.equal(await tab.evaluate('window.owned ?? null'), null);
  assert.equal(await tab.evaluate('self.origin'), 'null', 'it has no origin');
  await tab.close();
});

test('what a spreadsheet would run is text in the exported file', async () => {
  await using served = await serveHostileCrawl();
  let csv = '';
  while (!csv.includes('/formula/0'))
    csv = await (await fetch(`${served.url}report.csv?view=all&columns=url,title`)).text();
  for (const formula of FORMULAS) assert.ok(csv.includes(`'${formula.replaceAll('"', '""')}`), formula);
  assert.doesNotMatch(csv, /(?:^|,)"?[ \t]*[=+@\uff1d-](?!\d+(?:\.\d+)?"?(?:,|\r?$))/m);
});

/** A folder may have any name that holds no slash. */
const NAME = `<img src=x onerror=window.owned=40>"'&`;
const TYPED = `"><img src=x onerror=window.owned=41>`;

test('names of crawls and templates, what was typed into forms, and logs run nowhere in the library', {
  skip,
  timeout: 1_200_000,
}, async () => {
  await using driven = await DrivenApp.start();
  const { tab, folder, app } = driven;
  const crawl = join(folder, 'crawls', NAME);
  mkdirSync(crawl);
  await crawlHostileSite(crawl);
  writeFileSync(join(crawl, 'app-run.log'), '</pre><script>window.owned=42</script>');
  mkdirSync(join(folder, 'crawls', `no crawl ${NAME}`));
  await app.until(NAME, ({ condition }) => condition === 'finished');
  const shown = async (path: string, ...texts: string[]): Promise<void> => {
    if (path !== '-') await driven.open(path);
    assert.equal(await ran(tab), '', path);
    const page = await tab.evaluate<string>(
      "[document.documentElement.textContent, ...[...document.querySelectorAll('input, textarea')].map(({ value }) => value)].join(' ')",
    );
    for (const text of texts) assert.ok(page.includes(text), `${path}: ${text}`);
  };
  await shown('', NAME, `no crawl ${NAME}`);
  const name = url(NAME);
  await shown(`manage/${name}`, NAME, 'window.owned=42');
  for (const path of ['', 'dashboard', 'search?q=window.owned', 'control', 'hosts', 'report', 'graph', 'help'])
    await shown(`crawls/${name}/${path}`, NAME);
  // Addresses below such a mount lead where they should.
  await driven.press('nav a[href$="/dashboard"]');
  await shown('-', 'Dashboard', NAME);
  await driven.press('nav a[href^="/manage/"]');
  await shown('-', NAME);

  // A schedule that cannot be read, and its time zone.
  await driven.fill('repeat', 'cron');
  await driven.fill('cron', TYPED);
  await driven.fill('timeZone', TYPED);
  await driven.press('form[action$="/repeat"] button');
  await shown('-', TYPED);
  await shown(`new?${new URLSearchParams({ addresses: TYPED, topic: TYPED, name: TYPED, exclude: TYPED })}`, TYPED);
  await driven.press('button[value="start"]');
  await shown('-', TYPED);
  assert.equal(await tab.evaluate("document.querySelectorAll('.wrong').length > 1"), true);
  await driven.open('new');
  await tab.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
  await driven.fill('template-name', TYPED);
  await driven.press('button[value="template"]');
  await shown('-', TYPED);
  await shown('new', TYPED);
  await shown(`plan/${url(TYPED)}`);
  await shown(`manage/${url(TYPED)}`);
  await driven.open(`manage/${name}/delete`);
  await shown('-', NAME);
  await driven.press('form[action$="/delete"] button');
  await shown('trash', NAME);
  await driven.press('a[href^="/trash/purge"]');
  await shown('-', NAME);
  assert.deepEqual(tab.dialogs, []);
});
