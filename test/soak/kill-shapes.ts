/**
 * Honest sites, one host each, crawled with default settings but for the delay, whole and killed: no page may be held back.
 *
 *   npm run soak:shapes -- [--shapes tree,blog,…] [--pages 60,2000] [--kills 0,5]
 *   npm run soak:shapes -- --folder /usr/share/doc/git/html=/git.html [--kills 0,5]
 *
 * A folder of HTML files (an installed documentation package) is served as it is, from the page named after `=`. What it
 * holds is told by a crawl without trap learning.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { numberedTree } from '../../src/simulate/sites/numbered-tree.ts';
import { sitePage } from '../../src/simulate/sites/site-markup.ts';
import type { SiteShape } from '../../src/simulate/sites/site-shape.ts';
import { SITE_SHAPES } from '../../src/simulate/sites/sites-plan.ts';
import { Vocabulary } from '../../src/simulate/sites/vocabulary.ts';
import { storedPages } from '../crawl/crawl-web.ts';
import { archivedUrls } from '../faults/killed-crawl.ts';
import { killedRun } from './killed-run.ts';

interface Site {
  readonly name: string;
  readonly start: string;
  /** Undefined where a crawl without trap learning has to tell. */
  readonly paths?: readonly string[];
  answer(
    path: string,
  ): { readonly type: string; readonly body: string | Buffer } | { readonly moved: string } | undefined;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.pdf': 'application/pdf',
};
/** Numbered pages that name the next ones and nothing else: no way up, no way home. */
const bareTree: SiteShape = (options) =>
  numberedTree(options).map((page) => (page.path === '/' ? page : { ...page, links: page.links.slice(0, -2) }));
const SHAPES: Readonly<Record<string, SiteShape>> = { 'bare-tree': bareTree, ...SITE_SHAPES };
const SEED = 5;
const KILL_AFTER_MS = [300, 3_000] as const;

const { values } = parseArgs({
  options: {
    shapes: { type: 'string', default: Object.keys(SHAPES).join(',') },
    pages: { type: 'string', default: '60,2000' },
    kills: { type: 'string', default: '0,5' },
    folder: { type: 'string', multiple: true },
  },
});

function shapedSite(shape: string, pages: number): Site {
  if (SHAPES[shape] === undefined) throw new Error(`${shape} is no shape: ${Object.keys(SHAPES).join(', ')}.`);
  const words = new Vocabulary(SEED);
  const site = SHAPES[shape]({ seed: SEED, pages });
  const byPath = new Map(site.map((page, key) => [page.path, { page, key }]));
  return {
    name: `${shape} of ${site.length} pages`,
    start: '/',
    paths: site.map(({ path }) => path),
    answer: (path) => {
      const found = byPath.get(path);
      if (found === undefined) return undefined;
      const { page, key } = found;
      const links = page.links.map((href) => ({ href, label: byPath.get(href)?.page.title ?? href }));
      const shown = { title: page.title, site: shape, key, words: page.words, version: 0, links };
      return { type: TYPES['.html'], body: sitePage(words, shown) };
    },
  };
}

function folderSite(named: string): Site {
  const [root, start = '/'] = named.split('=');
  return {
    name: root,
    start,
    answer: (path) => {
      const file = join(root, decodeURIComponent(new URL(path, 'http://site.test').pathname));
      const found = statSync(file, { throwIfNoEntry: false });
      if (found?.isDirectory() && !path.endsWith('/')) return { moved: `${path}/` };
      const held = found?.isDirectory() ? join(file, 'index.html') : file;
      if (statSync(held, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
      return { type: TYPES[extname(held)] ?? 'application/octet-stream', body: readFileSync(held) };
    },
  };
}

async function crawlSite(site: Site, kills: number, expected?: readonly string[], ...more: string[]) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    const answer = site.answer(request.url ?? '/');
    if (answer === undefined) response.writeHead(404).end('not found');
    else if ('moved' in answer) response.writeHead(301, { Location: answer.moved }).end();
    else response.writeHead(200, { 'Content-Type': answer.type }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-shape-'));
  const args = ['crawl', origin + site.start, '--dir', folder, '--allow-private', '--quiet', '--delay', '0', ...more];
  try {
    let code: number | null = null;
    for (let killed = 0; killed <= kills; killed++) {
      const [least, most] = KILL_AFTER_MS;
      const wait = killed < kills ? least + Math.random() * (most - least) : undefined;
      code = await killedRun(args, wait, () => asked);
    }
    const stored = storedPages(folder).map((url) => url.slice(origin.length));
    const { counts } = await archivedUrls(join(folder, 'archive'));
    const twice = [...counts].filter(([url, times]) => url.startsWith('http') && times > 1).length;
    const missed = (expected ?? []).filter((path) => !stored.includes(path));
    return { stored, missed, twice, code, asked };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}

const sites =
  values.folder?.map(folderSite) ??
  values.pages.split(',').flatMap((pages) => values.shapes.split(',').map((shape) => shapedSite(shape, Number(pages))));
const problems: string[] = [];
for (const site of sites) {
  const expected = site.paths ?? (await crawlSite(site, 0, undefined, '--no-trap-learning')).stored;
  for (const kills of values.kills.split(',').map(Number)) {
    const { stored, missed, twice, code, asked } = await crawlSite(site, kills, expected);
    const line = `${site.name}, ${kills} kills: ${stored.length} of ${expected.length} pages, ${missed.length} missed, ${twice} twice, ${asked} requests, exit ${code}`;
    console.log(line);
    if (missed.length > 0 || twice > 0 || code !== 0) problems.push(line);
  }
}
console.log(problems.length === 0 ? 'passed' : `FAILED\n${problems.join('\n')}`);
process.exitCode = problems.length === 0 ? 0 : 1;
