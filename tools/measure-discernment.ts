/**
 * What telling duplicates, traps, mirrors, soft 404s and spam costs a normal crawl, in CPU:
 * `npx node tools/measure-discernment.ts [--parts] [rounds]`. The same web is crawled in turn with all of it and without any, and
 * with --parts also with one part less each; the server runs in another process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../src/base/settings/schema.ts';
import { createCrawl } from '../src/index.ts';
import { startWebProcess } from '../src/simulate/child-web.ts';
import { MODERN_PAGES } from '../src/simulate/web-presets.ts';
import { PLAIN_SHARES } from '../src/simulate/web-spec.ts';

const PARTS: Readonly<Record<string, Partial<Settings>>> = {
  nearDuplicates: { nearDuplicates: false },
  traps: { trapLearning: false },
  mirrors: { mirrors: false },
  softNotFound: { softNotFound: false },
  spam: { spam: false },
};
const NONE: Partial<Settings> = Object.assign({}, ...Object.values(PARTS));
const WEB = { ...PLAIN_SHARES, ...MODERN_PAGES, hosts: 20, pagesPerHost: 40, seed: 11 } as const;

async function cpuPerPage(settings: Partial<Settings>): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-cost-'));
  try {
    await using server = await startWebProcess(WEB, { nameServer: true });
    const { origins, nameServer = '' } = server;
    await using crawl = await createCrawl({
      ...{ folder, seeds: origins, scope: 'any', allowPrivate: true, delay: 0, sitemaps: 'off', workers: 0 },
      dnsServers: [nameServer],
      ...settings,
    });
    const { cpuSeconds, pages } = await crawl.run();
    return (cpuSeconds * 1000) / pages;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1];

const given = process.argv.slice(2);
const rounds = Number(given.find((word) => /^\d+$/.test(word)) ?? 3);
const variants: readonly (readonly [string, Partial<Settings>])[] = [
  ['everything', {}],
  ['nothing', NONE],
  ...(given.includes('--parts') ? Object.entries(PARTS) : []).map(([name, off]) => [`without ${name}`, off] as const),
];
await cpuPerPage({});
const measured = new Map<string, number[]>(variants.map(([name]) => [name, []]));
for (let round = 0; round < rounds; round++)
  for (const [name, settings] of variants) measured.get(name)?.push(await cpuPerPage(settings));
const all = median(measured.get('everything') ?? []);
const none = median(measured.get('nothing') ?? []);
for (const [name, values] of measured)
  console.log(`${name.padEnd(24)} ${median(values).toFixed(2)} ms of CPU per page`);
console.log(
  `all of it costs ${(100 * (all / none - 1)).toFixed(1)} % of the crawl without, ${(100 * (1 - none / all)).toFixed(1)} % of the crawl with it`,
);
