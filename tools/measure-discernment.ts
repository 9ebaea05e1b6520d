/**
 * What telling duplicates, traps, mirrors, soft 404s and spam costs a normal crawl, in CPU:
 * `npx node tools/measure-discernment.ts [rounds]`. The same web is crawled in turn with all of it, without any, and with
 * one part less each; the server runs in another process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../src/base/settings/schema.ts';
import { createCrawl } from '../src/index.ts';
import { startWebProcess } from '../src/simulate/child-web.ts';
import { MODERN_PAGES } from '../src/simulate/web-presets.ts';

const PARTS: Readonly<Record<string, Partial<Settings>>> = {
  nearDuplicates: { nearDuplicates: false },
  traps: { trapLearning: false },
  mirrors: { mirrors: false },
  softNotFound: { softNotFound: false },
  spam: { spam: false },
};
const NONE: Partial<Settings> = Object.assign({}, ...Object.values(PARTS));
const WEB = { ...MODERN_PAGES, hosts: 20, pagesPerHost: 100, seed: 11 } as const;

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

const rounds = Number(process.argv[2] ?? 3);
const variants: readonly (readonly [string, Partial<Settings>])[] = [
  ['everything', {}],
  ['nothing', NONE],
  ...Object.entries(PARTS).map(([name, off]) => [`without ${name}`, off] as const),
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
