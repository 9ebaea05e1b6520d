/**
 * How well pages of documentation are read: title, main text, dates, authors, near-duplicates and spam, on the sites of
 * installed packages, each of another generator, with the main element of its template as truth:
 * `npx node tools/score-sites.ts [SITE ...] [--most 300] [--crawl] [--hold-out] [--root FOLDER] [--faults title|text|...] [--json]`.
 *
 * Pages go through the parts of a page worker; with `--crawl` through a crawl of a server on loopback. Packages that are not
 * installed are named and passed over. `--root` is a second place to look in beside /usr/share. Ends with 1 where a site misses a goal.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crawlSite } from './score-sites/crawl-site.ts';
import { DOCUMENTATION_SITES } from './score-sites/documentation-sites.ts';
import { readDirectly } from './score-sites/read-directly.ts';
import { sitePages } from './score-sites/site-pages.ts';
import { type SiteScores, scoreSite } from './score-sites/site-scores.ts';

const ROOT = '/usr/share';
const SHOWN = 40;

const GOALS: readonly (readonly [score: keyof SiteScores, met: (value: number) => boolean])[] = [
  ['titles', (value) => value >= 0.98],
  ['f1', (value) => value >= 0.965],
  ['poor', (value) => value < 0.01],
  ['terms', (value) => value >= 0.97],
  ['dates', (value) => value < 0.005],
  ['authors', (value) => value < 0.005],
  ['nearDuplicates', (value) => value < 0.005],
  ['spam', (value) => value < 0.001],
];

const percent = (share: number): string => (100 * share).toFixed(1).padStart(6);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      most: { type: 'string', default: '300' },
      crawl: { type: 'boolean', default: false },
      'hold-out': { type: 'boolean', default: false },
      root: { type: 'string', default: ROOT },
      faults: { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (!values.json)
    console.log(
      'site          generator    pages titles  text F1  <.5 %  terms  dates authors  near   spam  (wrong: %)',
    );
  for (const site of DOCUMENTATION_SITES) {
    if (positionals.length > 0 ? !positionals.includes(site.name) : (site.holdOut === true) !== values['hold-out'])
      continue;
    const root = [values.root, ROOT].find((folder) => existsSync(join(folder, site.folder)));
    const paths = root === undefined ? undefined : sitePages(root, site, Number(values.most));
    if (root === undefined || paths === undefined) {
      console.error(`${site.name.padEnd(13)} skipped: ${site.packageName} is not installed`);
      continue;
    }
    const folder = join(root, site.folder);
    const read = values.crawl ? crawlSite : readDirectly;
    const { scores, faults } = scoreSite(folder, site, await read(folder, paths));
    const missed = GOALS.filter(([score, met]) => !met(scores[score])).map(([score]) => score);
    if (missed.length > 0) process.exitCode = 1;
    if (values.json) console.log(JSON.stringify({ site: site.name, ...scores, missed }));
    else
      console.log(
        `${site.name.padEnd(13)} ${site.generator.slice(0, 11).padEnd(11)} ${String(scores.pages).padStart(6)} ${percent(scores.titles)}   ` +
          `${scores.f1.toFixed(4)} ${percent(scores.poor)}  ${scores.terms.toFixed(3)} ${percent(scores.dates)} ${percent(scores.authors)} ` +
          `${percent(scores.nearDuplicates)} ${percent(scores.spam)}  ${missed.length === 0 ? '' : `misses ${missed.join(', ')}`}`,
      );
    for (const { path, detail } of faults.filter(({ what }) => what === values.faults).slice(0, SHOWN))
      console.log(`  ${path}  ${detail}`);
  }
}

await main();
