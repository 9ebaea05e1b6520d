import type { Command } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { FolderProblem } from '../../contracts/folder-check.ts';
import type { FolderRepair } from '../../crawl/check/repair-folder.ts';
import { type AskedCrawl, askedStore, STORE_HELP } from '../arguments/asked-crawl.ts';
import { writeText } from '../output/write-text.ts';

interface CheckFlags extends AskedCrawl {
  readonly repair?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** What a check found, and what a repair did. */
interface CheckReport extends FolderRepair {
  readonly folder: string;
  /** Nothing is wrong, or nothing any more. */
  readonly sound: boolean;
  readonly documents: number;
}

const DATABASE = 'the database';

/** Damage was found, or is left. */
const DAMAGED = 8;

/** `orbweaver check`: is everything in a crawl folder whole, and what can be mended? */
export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description('Look for damage in the state, the archive and the index of a crawl, and repair it.')
    .option('--dir <folder>', 'the crawl folder', 'my-crawl')
    .option('--store <url>', STORE_HELP)
    .option('--repair', 'repair what can be repaired; pages whose copy is lost are fetched again by the next crawl')
    .option('--json', 'print one JSON object, nothing else')
    .option('--quiet', 'no progress')
    .addHelpText(
      'after',
      `\nExit status: 0 sound, or repaired; ${DAMAGED} damage was found, or is left; 3 the folder cannot be used; 4 the disk.`,
    )
    .action(async (flags: CheckFlags) => {
      const { store } = await askedStore(flags);
      const report = store === undefined ? await runCheck(flags) : await checkStore(store, flags);
      if (flags.json) process.stdout.write(`${JSON.stringify(report)}\n`);
      else writeText(describe(report, flags));
      process.exitCode = report.sound ? 0 : DAMAGED;
    });
}

async function checkStore(store: string, flags: CheckFlags): Promise<CheckReport> {
  if (flags.repair === true)
    throw new OrbweaverError('USAGE', 'A crawl in a database is not repaired there.', {
      remedy: 'Move it into a folder (orbweaver migrate --from postgres://… --to DIR), and repair it there.',
    });
  const { checkNodes } = await import('../../crawl/nodes/check-nodes.ts');
  const { systemClock } = await import('../../base/clock.ts');
  const checked = await checkNodes(store, systemClock, progressOf(flags));
  const problems = [...checked.problems];
  const notes = [...checked.notes];
  let documents = 0;
  for (const folder of checked.folders) {
    const index = await checkIndexOf(folder, checked.problems);
    problems.push(...index.problems);
    notes.push(...index.notes);
    documents += index.documents;
  }
  return {
    ...{ folder: DATABASE, sound: problems.length === 0, ...checked, documents, problems, notes },
    ...{ done: [], lost: [], remaining: problems },
  };
}

function progressOf(flags: CheckFlags): (text: string) => void {
  return (text) => {
    if (!flags.quiet && !flags.json && process.stderr.isTTY) process.stderr.write(`${text}\n`);
  };
}

async function runCheck(flags: CheckFlags): Promise<CheckReport> {
  const onProgress = progressOf(flags);
  const { dir: folder } = flags;
  const { readMaster } = await import('../../search/indexing/master/master-place.ts');
  if (readMaster(folder) !== undefined) return await checkMasterIndex(flags);
  if (flags.repair !== true) {
    const { checkFolder } = await import('../../crawl/check/check-folder.ts');
    const checked = await checkFolder(folder, onProgress);
    const index = await checkIndexOf(folder, checked.problems);
    const problems = [...checked.problems, ...index.problems];
    const notes = [...checked.notes, ...index.notes];
    const { documents } = index;
    return {
      folder,
      sound: problems.length === 0,
      ...checked,
      documents,
      problems,
      notes,
      done: [],
      lost: [],
      remaining: problems,
    };
  }
  const { repairFolder } = await import('../../crawl/check/repair-folder.ts');
  const repaired = await repairFolder(folder, onProgress);
  const index = await checkIndexOf(folder, []);
  const done = [...repaired.done];
  let { documents, problems: indexLeft } = index;
  if (index.problems.length > 0) {
    onProgress('the search index is made again');
    const { rebuildIndex } = await import('../../search/indexing/rebuild-index.ts');
    const { systemClock } = await import('../../base/clock.ts');
    await rebuildIndex(folder, systemClock);
    ({ documents, problems: indexLeft } = await checkIndexOf(folder, []));
    done.push(`The search index was made again from the archive, with ${documents} documents.`);
  }
  const remaining = [...repaired.remaining, ...indexLeft];
  const problems = [...repaired.problems, ...index.problems];
  const notes = [...repaired.notes, ...index.notes];
  return { folder, sound: remaining.length === 0, ...repaired, documents, problems, notes, done, remaining };
}

/** It holds nothing that its sources do not have: damage is no loss. */
async function checkMasterIndex({ dir: folder, repair }: CheckFlags): Promise<CheckReport> {
  if (repair === true)
    throw new OrbweaverError('USAGE', 'A master index is not repaired, but fed again.', { remedy: fedAgain(folder) });
  const { checkMaster } = await import('../../search/indexing/master/check-master.ts');
  const { problems, documents } = checkMaster(folder);
  const notes = problems.length === 0 ? [] : [fedAgain(folder)];
  const looked = { folder, sound: problems.length === 0, pages: 0, records: 0, documents };
  return { ...looked, problems, notes, done: [], lost: [], remaining: problems };
}

function fedAgain(folder: string): string {
  const index = shellWord(`${folder}/index`);
  return `Delete ${index}, then name all sources: orbweaver index --dir ${shellWord(folder)} --from FOLDER`;
}

/** Where the state cannot be read, neither can be told how far the index should have come. */
async function checkIndexOf(folder: string, before: readonly FolderProblem[]) {
  const { checkIndex } = await import('../../search/indexing/check-index.ts');
  if (before.some(({ code }) => UNREADABLE.has(code))) return { problems: [], notes: [], documents: 0 };
  return checkIndex(folder);
}

const UNREADABLE: ReadonlySet<string> = new Set(['database-damaged', 'rows-damaged', 'repair-unfinished']);

function describe(report: CheckReport, flags: CheckFlags): string {
  const { problems, done, lost, remaining, notes, keptState } = report;
  const lines: string[] = [];
  for (const { area, what } of problems) lines.push(`${area}: ${what}`);
  for (const text of done) lines.push(`repaired: ${text}`);
  for (const text of lost) lines.push(`lost: ${text}`);
  if (keptState !== undefined) lines.push(`The state as it was is kept in ${keptState}.`);
  if (flags.repair) for (const { area, what } of remaining) lines.push(`remains: ${area}: ${what}`);
  for (const note of notes) lines.push(`note: ${note}`);
  lines.push(conclusion(report, flags));
  return `${lines.join('\n')}\n`;
}

function conclusion(
  { sound, problems, notes, pages, records, documents, folder }: CheckReport,
  { repair }: CheckFlags,
): string {
  if (problems.length === 0)
    return `Sound: ${pages} pages, ${records} archive records, ${documents} documents in the search index.`;
  if (pages + records === 0 && notes.includes(fedAgain(folder))) return 'Damaged: a master index is fed again.';
  if (!repair && folder === DATABASE) return 'Damaged. To repair it, move it into a folder first: orbweaver migrate';
  if (!repair) return `Damaged. To repair it: orbweaver check --repair --dir ${shellWord(folder)}`;
  if (!sound) return 'Repaired in part: what remains is named above.';
  return `Repaired. The crawl goes on, and fetches again what was lost, with: orbweaver crawl --dir ${shellWord(folder)}`;
}
