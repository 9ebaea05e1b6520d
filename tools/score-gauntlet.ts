/**
 * What a crawl with default settings wastes on traps, and what it misses for fear of them:
 * `npx node tools/score-gauntlet.ts [--seed 2] [--hosts 40] [--pages 1000] [--json] [--verbose] [--setting=value ...]`.
 * Ends with 1 where a bar is missed.
 */
import { CrawlReader } from '../src/index.ts';
import { formatAudit } from '../src/simulate/audit/format-audit.ts';
import { formatGauntlet, type GauntletBars, missedBars } from '../src/simulate/audit/format-gauntlet.ts';
import { TRAP_GAUNTLET } from '../src/simulate/model/web-presets.ts';
import { crawlSyntheticWeb, readScoreOptions, type ScoredCrawl, type ScoreOptions } from './crawl-synthetic-web.ts';

const BARS: GauntletBars = { wastedShare: 0.02, perTrapHost: 1000, honestShare: 0.99 };
const SHOWN = 40;

async function show({ web, report, summary, folder }: ScoredCrawl, options: ScoreOptions): Promise<boolean> {
  const { gauntlet } = report;
  const missed = missedBars(gauntlet, BARS);
  if (options.json) {
    console.log(JSON.stringify({ ...gauntlet, missed, ended: summary.ended, seconds: summary.seconds }));
    return missed.length === 0;
  }
  const { seconds, cpuSeconds, ended } = summary;
  console.log(`${ended} after ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of CPU\n`);
  console.log(formatGauntlet(gauntlet, BARS));
  if (options.verbose) {
    console.log(`\n${formatAudit(report)}\n`);
    for (let host = 0; host < web.hosts.count; host++) {
      const traps = web.trapsOf(host);
      if (traps.length > 0) console.log(`${web.hosts.hostname(host)}: ${traps.join(', ')}`);
    }
    using reader = new CrawlReader(folder);
    const held = reader.learnedState()?.patterns.filter(({ state }) => state.startsWith('held')) ?? [];
    console.log(`\n${held.length} patterns held`);
    for (const { pattern, visits, known, reason } of held.slice(0, SHOWN))
      console.log(`  ${pattern}  ${visits} of ${known}: ${reason}`);
  }
  return missed.length === 0;
}

if (import.meta.main) {
  const options = readScoreOptions(process.argv.slice(2));
  // Traps are found by links: the user asks for hosts that lay none.
  const passed = await crawlSyntheticWeb(
    TRAP_GAUNTLET,
    options,
    { softNotFound: 'failed' },
    (crawl) => show(crawl, options),
    (web, host) => web.trapsOf(host).length === 0,
  );
  process.exitCode = passed ? 0 : 1;
}
