/**
 * How well a crawl tells spam from honest pages that look like it, by the labels of the synthetic web:
 * `npx node tools/score-spam.ts [--seed 2] [--hosts 60] [--pages 80] [--json] [--verbose] [--setting=value ...]`.
 * Cloaking is looked for with `--cloaking-checks=1`. A page is taken for spam from a score of 0.5 on, and where its host was found to be part of a link farm. Ends with 1 where precision is below 0.95 or recall below 0.9.
 */
import type { SpamScore, SpamTechnique } from '../src/contracts/content/spam.ts';
import { CrawlReader } from '../src/index.ts';
import { LinkFarmWatch } from '../src/rank/spam/link-farm.ts';
import { SPAM_WEB } from '../src/simulate/model/web-presets.ts';
import { crawlSyntheticWeb, readScoreOptions, type ScoredCrawl, type ScoreOptions } from './crawl-synthetic-web.ts';

const SPAM_FROM = 0.5;
const BARS = { precision: 0.95, recall: 0.9 };
const TECHNIQUES: readonly SpamTechnique[] = ['term-stuffing', 'hidden-text', 'doorway', 'link-farm', 'cloaking'];
const SHOWN = 12;

interface Judged {
  readonly url: string;
  readonly spam?: SpamTechnique;
  readonly lookalike?: SpamTechnique;
  readonly score: SpamScore;
}

interface Tally {
  readonly spam: number;
  readonly found: number;
  readonly lookalikes: number;
  readonly lookalikesTaken: number;
}

async function judge({ web, truth, folder }: ScoredCrawl): Promise<Judged[]> {
  using reader = new CrawlReader(folder);
  const farms = new LinkFarmWatch();
  farms.restore(reader.learnedState()?.parts.farms);
  const farmSigns = farms.farmSigns();
  const cloaked = new Map(reader.learnedState()?.cloaked?.map(({ url, sign }) => [url as string, sign]));
  const judged: Judged[] = [];
  for (const page of truth.pages('stored')) {
    const nature = web.nature(page, truth.agent);
    if (nature.kind !== 'page' || nature.form !== undefined) continue;
    const url = web.url(page);
    const { page: record } = await reader.explain(url);
    if (record?.facts === undefined) continue;
    const { spam, lookalike } = nature;
    const ofPage = record.facts.spam ?? { score: 0, signs: [] };
    const signs = [ofPage.signs, farmSigns.get(record.host) ?? [], cloaked.get(url) ?? []].flat();
    const score = { score: Math.max(ofPage.score, ...signs.map(({ weight }) => weight)), signs };
    judged.push({ url, score, ...(spam && { spam }), ...(lookalike && { lookalike }) });
  }
  return judged;
}

function tally(judged: readonly Judged[], technique: SpamTechnique): Tally {
  const spam = judged.filter((page) => page.spam === technique);
  const lookalikes = judged.filter((page) => page.lookalike === technique);
  return {
    spam: spam.length,
    found: spam.filter(isTaken).length,
    lookalikes: lookalikes.length,
    lookalikesTaken: lookalikes.filter(isTaken).length,
  };
}

function isTaken({ score }: Judged): boolean {
  return score.score >= SPAM_FROM;
}

async function show(crawl: ScoredCrawl, options: ScoreOptions): Promise<boolean> {
  const judged = await judge(crawl);
  const taken = judged.filter(isTaken);
  const spam = judged.filter((page) => page.spam !== undefined);
  const right = taken.filter((page) => page.spam !== undefined).length;
  const precision = taken.length === 0 ? 1 : right / taken.length;
  const recall = spam.length === 0 ? 1 : right / spam.length;
  const passed = precision >= BARS.precision && recall >= BARS.recall;
  const techniques = Object.fromEntries(TECHNIQUES.map((technique) => [technique, tally(judged, technique)]));
  if (options.json) {
    console.log(
      JSON.stringify({ pages: judged.length, spam: spam.length, taken: taken.length, precision, recall, techniques }),
    );
    return passed;
  }
  console.log(`${crawl.summary.ended} after ${crawl.summary.seconds.toFixed(1)} s, ${judged.length} pages judged\n`);
  console.log('technique      found of spam  recall  look-alikes taken  precision against them');
  for (const [technique, { spam: there, found, lookalikes, lookalikesTaken }] of Object.entries(techniques)) {
    const against = found + lookalikesTaken === 0 ? 1 : found / (found + lookalikesTaken);
    const counts = `${found} of ${there}`.padEnd(13);
    const honest = `${lookalikesTaken} of ${lookalikes}`.padEnd(17);
    console.log(`${technique.padEnd(13)}  ${counts}  ${share(found, there)}   ${honest}  ${against.toFixed(3)}`);
  }
  const plain = judged.filter((page) => page.spam === undefined && page.lookalike === undefined);
  console.log(`other pages taken for spam: ${plain.filter(isTaken).length} of ${plain.length}`);
  console.log(
    `precision ${precision.toFixed(3)} (at least ${BARS.precision}), recall ${recall.toFixed(3)} (at least ${BARS.recall})`,
  );
  if (options.verbose) {
    print(
      'missed',
      judged.filter((page) => page.spam !== undefined && !isTaken(page)),
    );
    print(
      'wrongly taken',
      taken.filter((page) => page.spam === undefined),
    );
  }
  return passed;
}

function print(what: string, pages: readonly Judged[]): void {
  console.log(`\n${what}: ${pages.length}`);
  for (const { url, spam, lookalike, score } of pages.slice(0, SHOWN)) {
    const signs = score.signs
      .map((sign) => `${sign.technique} ${sign.weight.toFixed(2)} (${sign.evidence})`)
      .join('; ');
    console.log(
      `  ${url} [${spam ?? (lookalike === undefined ? 'plain' : `like ${lookalike}`)}] ${score.score.toFixed(2)} ${signs}`,
    );
  }
}

function share(part: number, whole: number): string {
  return whole === 0 ? '  -  ' : (part / whole).toFixed(3);
}

if (import.meta.main) {
  const options = readScoreOptions(process.argv.slice(2));
  const passed = await crawlSyntheticWeb(SPAM_WEB, options, {}, (crawl) => show(crawl, options));
  process.exitCode = passed ? 0 : 1;
}
