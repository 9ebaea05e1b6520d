import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { loadSettingsFile } from '../../base/settings/load-settings-file.ts';
import { resolveSettings } from '../../base/settings/resolve-settings.ts';
import { settingsPath } from '../../crawl/crawl-folder.ts';
import { loadPlugins, resolvePlugins } from '../../plugins/load-plugins.ts';
import type { Plugins } from '../../plugins/plugins.ts';
import type { Searcher } from '../../search/searcher.ts';
import { type AskedCrawl, STORE_HELP, searchedPlaces } from '../arguments/asked-crawl.ts';
import { wholeNumber } from '../arguments/whole-number.ts';

interface SearchFlags extends AskedCrawl {
  readonly json?: boolean;
  readonly page: string;
  readonly perPage: string;
  readonly unfolded?: boolean;
  readonly exact?: boolean;
  readonly facets?: boolean;
  readonly explainScore?: boolean;
  readonly plugins?: readonly string[];
  readonly queries?: string;
  readonly trecRun?: boolean;
  readonly runTag: string;
  readonly top: string;
}

/** `search`: asks the index of a crawl folder, by hand or with a file of questions. */
export function addSearchCommand(program: Command): void {
  program
    .command('search')
    .description('Searches the pages of a crawl folder, or documents that were imported into it.')
    .argument('[query...]', 'words, "phrases", -not, OR, site: inurl: intitle: filetype: lang: before: after:, begin*')
    // -word leaves a word out; only what begins with two dashes is an option here.
    .allowUnknownOption()
    .helpOption('--help', 'display help for command')
    .option('--dir <folder>', 'the crawl folder', 'my-crawl')
    .option('--store <url>', STORE_HELP)
    .option('--json', 'the answer as one JSON object')
    .option('--page <n>', 'which page of results', '1')
    .option('--per-page <n>', 'results on a page', '10')
    .option('--unfolded', 'show near-duplicates, and all hits of one host')
    .option('--exact', 'search for the words as typed, without correcting their spelling')
    .option('--facets', 'count the matches by host, language, type and year')
    .option('--explain-score', 'tell what each score is made of')
    .option('--plugins <module...>', 'plug-ins whose signals count in the ranking; see docs/plugins.md')
    .option('--queries <file>', 'a file of {"id", "text"} lines, or - for standard input; with --trec-run')
    .option('--trec-run', 'print the ranking of each query of --queries as a TREC run')
    .option('--run-tag <name>', 'last column of the run', 'orbweaver')
    .option('--top <n>', 'documents of each query in the run', '1000')
    .action(async (words: readonly string[], flags: SearchFlags) => {
      const { openSearcher } = await import('../../search/open-searcher.ts');
      if ((flags.trecRun === true) !== (flags.queries !== undefined))
        throw new OrbweaverError('USAGE', '--queries FILE and --trec-run belong together.');
      // What was typed with spaces in it was quoted: a query that begins with a flag.
      const unknown = words.find((word) => /^--[a-z]\S*$/.test(word));
      if (unknown !== undefined)
        throw new OrbweaverError('SETTING_UNKNOWN', `unknown option '${unknown}'`, {
          remedy: "search --help lists them. To search for a flag, quote the whole query: search 'git rebase --onto'",
        });
      const query = words.join(' ');
      if (flags.queries === undefined && query.trim() === '')
        throw new OrbweaverError('USAGE', 'There is no query.', {
          remedy: 'For example: orbweaver search web archive',
        });
      const { folder, ...places } = (await searchedPlaces(flags)).places;
      await using searcher = await openSearcher(folder, { ...places, plugins: await pluginsOf(flags) });
      if (flags.queries !== undefined) await printRun(searcher, flags.queries, flags);
      else await printHits(searcher, query, flags);
    });
}

/** Named here, in the environment or in the settings of the folder. */
async function pluginsOf({ dir, plugins }: SearchFlags): Promise<Plugins> {
  const file = await loadSettingsFile(settingsPath(dir), { optional: true });
  const flags = { continuous: true, ...(plugins && { plugins }) };
  const { settings } = resolveSettings({ flags, env: process.env, file });
  return loadPlugins(resolvePlugins(settings.plugins), { folder: dir, userAgent: '' });
}

async function printHits(searcher: Searcher, query: string, flags: SearchFlags): Promise<void> {
  const answer = await searcher.search({
    query,
    page: wholeNumber('--page', flags.page, 1, 10_000),
    perPage: wholeNumber('--per-page', flags.perPage, 1, 100),
    unfolded: flags.unfolded === true,
    facets: flags.facets === true,
    exactWords: flags.exact === true,
  });
  const scores =
    flags.explainScore === true ? await scoresOf(searcher, answer.correctedQuery ?? query, answer.hits) : [];
  if (flags.json === true) {
    const hits = answer.hits.map((hit, at) => (scores.length > 0 ? { ...hit, explained: scores[at] } : hit));
    process.stdout.write(`${JSON.stringify({ ...answer, hits })}\n`);
    return;
  }
  const { formatHits } = await import('../output/show-hits.ts');
  const terminal = process.stdout.isTTY === true && process.env.NO_COLOR === undefined;
  process.stdout.write(`${formatHits(answer, { terminal, facets: flags.facets === true, scores })}\n`);
}

async function scoresOf(searcher: Searcher, query: string, hits: readonly { readonly id: string }[]) {
  return await Promise.all(hits.map(({ id }) => searcher.explainScore(query, id)));
}

async function printRun(searcher: Searcher, file: string, flags: SearchFlags): Promise<void> {
  const top = wholeNumber('--top', flags.top, 1, 100_000);
  if (/\s/.test(flags.runTag) || flags.runTag === '')
    throw new OrbweaverError('SETTING_INVALID', '--run-tag is one word, without spaces.');
  for await (const { id, text } of queriesIn(file)) {
    const lines = searcher
      .rank(text, top)
      // The format is told apart by spaces alone.
      .map((hit, at) => `${id} Q0 ${hit.id.replace(/\s+/g, '_')} ${at + 1} ${hit.score.toFixed(6)} ${flags.runTag}\n`);
    if (!process.stdout.write(lines.join('')))
      await new Promise<void>((resolve) => process.stdout.once('drain', () => resolve()));
  }
}

async function* queriesIn(file: string): AsyncGenerator<{ readonly id: string; readonly text: string }> {
  if (file !== '-') {
    await access(file).catch((cause: unknown) => {
      throw new OrbweaverError('INPUT_INVALID', `${file} cannot be read.`, {
        remedy: 'Give the path of a file with one {"id", "text"} object per line, or - for standard input.',
        cause,
      });
    });
  }
  const input = file === '-' ? process.stdin : createReadStream(file);
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line.trim() !== '') yield readQuery(line, `${file}:${number}`);
  }
}

function readQuery(line: string, place: string): { readonly id: string; readonly text: string } {
  const wrong = (cause?: unknown): OrbweaverError =>
    new OrbweaverError('INPUT_INVALID', `${place} is no {"id", "text"} object.`, { cause });
  let read: { readonly id?: unknown; readonly text?: unknown } | null;
  try {
    read = JSON.parse(line);
  } catch (cause) {
    throw wrong(cause);
  }
  const { id, text } = read ?? {};
  if ((typeof id !== 'string' && typeof id !== 'number') || typeof text !== 'string') throw wrong();
  if (/\s/.test(String(id)) || id === '')
    throw new OrbweaverError('INPUT_INVALID', `${place}: the id of a query has no spaces.`);
  return { id: String(id), text };
}
