/**
 * Which mirrors among the hosts of a synthetic web a crawl finds, and what that saves:
 * `npx node tools/score-mirrors.ts [--seed 2] [--hosts 40] [--pages 150] [--json] [--verbose] [--setting=value ...]`.
 * Ends with 1 where precision or recall is below 0.95. A pair is right whichever of the two was taken for the original.
 */
import { CrawlReader } from '../src/index.ts';
import { MIRROR_WEB } from '../src/simulate/model/web-presets.ts';
import { crawlSyntheticWeb, readScoreOptions, type ScoredCrawl, type ScoreOptions } from './crawl-synthetic-web.ts';

const BAR = 0.95;

async function show({ web, report, summary, folder }: ScoredCrawl, options: ScoreOptions): Promise<boolean> {
  using reader = new CrawlReader(folder);
  const told = reader.learnedState()?.mirrors ?? [];
  const family = (origin: string): number => {
    const host = web.hosts.find(new URL(origin).host);
    return host < 0 ? -1 : web.mirrorOf(host);
  };
  const isRight = (pair: { readonly mirror: string; readonly original: string }): boolean =>
    family(pair.mirror) >= 0 && family(pair.mirror) === family(pair.original);
  const right = told.filter(isRight);
  // Of a family of hosts all but one are mirrors, whichever that one is.
  const found = new Set(right.map(({ mirror }) => mirror)).size;
  const there = report.mirrors.hosts.length;
  const precision = told.length === 0 ? 1 : right.length / told.length;
  const recall = there === 0 ? 1 : found / there;
  const { pages, requests, saved } = report.mirrors;
  const { honestExpected, honestFetched } = report.gauntlet;
  const passed = precision >= BAR && recall >= BAR;
  if (options.json) {
    const counts = { there, told: told.length, right: right.length, precision, recall, pages, requests, saved };
    console.log(JSON.stringify({ ...counts, honestExpected, honestFetched, ended: summary.ended }));
    return passed;
  }
  console.log(`${summary.ended} after ${summary.seconds.toFixed(1)} s, ${report.requests} requests`);
  console.log(`mirrors      ${there}, told ${told.length}, right ${right.length}`);
  console.log(`precision    ${precision.toFixed(3)}`);
  console.log(`recall       ${recall.toFixed(3)}`);
  console.log(`on mirrors   ${pages} pages, ${requests} requests, ${saved} pages saved`);
  console.log(`pages        ${honestFetched} of ${honestExpected}, each once however many hosts show it`);
  if (options.verbose) {
    for (const pair of told)
      console.log(`  ${isRight(pair) ? 'right' : 'WRONG'} ${pair.mirror} = ${pair.original}: ${pair.why}`);
    const seen = new Set(
      told.flatMap(({ mirror, original }) => [new URL(mirror).hostname, new URL(original).hostname]),
    );
    for (const { mirror, original } of report.mirrors.hosts) {
      if (!seen.has(mirror)) console.log(`  not found: ${mirror} = ${original}`);
    }
  }
  return passed;
}

if (import.meta.main) {
  const options = readScoreOptions(process.argv.slice(2));
  const passed = await crawlSyntheticWeb(MIRROR_WEB, options, { mirrorsFolded: true }, (crawl) => show(crawl, options));
  process.exitCode = passed ? 0 : 1;
}
