import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { ForgottenEntry, ForgottenPages } from '../../contracts/forgotten.ts';
import {
  allowAgain,
  type ForgetOptions,
  type ForgetPlan,
  type ForgetReport,
  forgetPages,
  forgottenPages,
  planForget,
} from '../../crawl/forget/forget-pages.ts';
import { indexFolder } from '../../search/indexing/index-folder.ts';
import { lockIndexOf, openIndexOf } from '../../search/indexing/open-index.ts';
import { rebuildIndex } from '../../search/indexing/rebuild-index.ts';
import { restartSink } from '../../search/opensearch/sink-place.ts';
import { type AskedCrawl, askedStore } from '../arguments/asked-crawl.ts';
import { terminalText } from '../output/terminal-text.ts';
import { writeText } from '../output/write-text.ts';
import { counted, writtenBytes } from '../output/written-amount.ts';
import { time } from './status.ts';

export interface ForgetFlags extends AskedCrawl {
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly list?: boolean;
  readonly allow?: readonly string[];
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** URLs that are listed before the question; a dry run lists all. */
const LISTED = 10;

/** Does what the flags of the command say. */
export async function runForget(what: readonly string[], flags: ForgetFlags): Promise<void> {
  const place = await placeOf(flags);
  if (flags.list === true) await listForgotten(place, flags);
  else if (flags.allow !== undefined) await allow(place, flags, flags.allow);
  else if (flags.dryRun === true) await dryRun(what, place, flags);
  else await forget(what, place, flags);
}

/** Where pages are deleted: in a folder, or in a database and the folders of its nodes. */
interface ForgetPlace {
  readonly name: string;
  /** By which flag it is named. */
  readonly flag: string;
  /** Folders that have lost pages whose documents were also sent elsewhere. */
  readonly sent: readonly string[];
  list(): Promise<ForgottenPages>;
  plan(what: readonly string[]): Promise<ForgetPlan>;
  forget(what: readonly string[], options: Pick<ForgetOptions, 'onProgress'>): Promise<ForgetReport>;
  allow(what: readonly string[]): Promise<number>;
}

async function placeOf(flags: ForgetFlags): Promise<ForgetPlace> {
  const { dir } = flags;
  const { store } = await askedStore(flags);
  const sent: string[] = [];
  const renew = async (folder: string): Promise<void> => {
    if (restartSink(folder)) sent.push(folder);
    await makeIndexAgain(folder);
  };
  if (store === undefined)
    return {
      ...{ name: dir, flag: `--dir ${shellWord(dir)}`, sent, list: async () => forgottenPages(dir) },
      plan: (what) => planForget(dir, what),
      forget: (what, options) => forgetPages(dir, what, { rebuildIndex: renew, requireIndex, ...options }),
      allow: async (what) => allowAgain(dir, what),
    };
  const nodes = await import('../../crawl/nodes/forget-in-nodes.ts');
  const { keptPages, writePagesOf } = await import('./nodes/index-nodes.ts');
  const rebuildIndex = async (folder: string): Promise<void> => {
    // Archive files are shorter by what was deleted; the index is made again below.
    await writePagesOf(store, folder, { ...keptPages(folder), onSetBack: async () => {} });
    await renew(folder);
  };
  return {
    ...{ name: 'the database', flag: '--store …', sent, list: () => nodes.forgottenInStore(store) },
    plan: (what) => nodes.planForgetInNodes(store, what),
    forget: (what, options) => nodes.forgetInNodes(store, what, { rebuildIndex, requireIndex, ...options }),
    allow: (what) => nodes.allowAgainInStore(store, what),
  };
}

async function forget(what: readonly string[], place: ForgetPlace, flags: ForgetFlags): Promise<void> {
  if (what.length === 0 && (await place.list()).unfinished === undefined)
    throw nothingNamed('Nothing was named, and no deletion is unfinished.');
  if (what.length > 0 && flags.yes !== true) await confirm(await matchingPlan(what, place), place, flags);
  const report = await place.forget(what, {
    onProgress: (text) => {
      if (!flags.quiet && !flags.json && process.stderr.isTTY) process.stderr.write(`${text}\n`);
    },
  });
  if (place.sent.length > 0) {
    const { renewSinks } = await import('./opensearch/run-opensearch.ts');
    await renewSinks(place.sent);
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(report)}\n`);
  if (what.length > 0 && report.entries.length === 0) throw nothingMatches(what, place);
  if (!flags.json) writeText(describe(report));
}

function requireIndex(folder: string): void {
  if (existsSync(indexFolder(folder))) lockIndexOf(folder)[Symbol.dispose]();
}

/** The index and the links are derived: made again from the archive, they hold nothing of what it has lost. */
async function makeIndexAgain(folder: string): Promise<void> {
  if (!existsSync(indexFolder(folder))) return;
  await rebuildIndex(folder, systemClock);
  // Whoever opens it for writing sweeps the files of the old one.
  await using _index = await openIndexOf(folder);
}

async function confirm(plan: ForgetPlan, { name }: ForgetPlace, { json }: ForgetFlags): Promise<void> {
  if (json === true || !process.stdin.isTTY || !process.stderr.isTTY)
    throw new OrbweaverError('USAGE', `${planned(plan)} would be deleted for good. Nothing was changed.`, {
      remedy: 'To delete without a question: --yes. To see what would go: --dry-run.',
    });
  process.stderr.write(`${listed(plan.urls, LISTED)}${planned(plan)} will be deleted from ${name} for good.\n`);
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await asking.question('Delete? [y/N] ');
  asking.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new OrbweaverError('USAGE', 'Nothing was deleted.');
}

async function dryRun(what: readonly string[], place: ForgetPlace, { json }: ForgetFlags): Promise<void> {
  if (what.length === 0) throw nothingNamed('Nothing was named.');
  const plan = await matchingPlan(what, place);
  if (json === true) process.stdout.write(`${JSON.stringify(plan)}\n`);
  else writeText(`${listed(plan.urls)}${planned(plan)} would be deleted. Nothing was changed.\n`);
}

async function matchingPlan(what: readonly string[], place: ForgetPlace): Promise<ForgetPlan> {
  const plan = await place.plan(what);
  if (plan.urls.length + plan.others + plan.records === 0) throw nothingMatches(what, place);
  return plan;
}

async function listForgotten(place: ForgetPlace, { json }: ForgetFlags): Promise<void> {
  const forgotten = await place.list();
  if (json === true) process.stdout.write(`${JSON.stringify(forgotten)}\n`);
  else if (forgotten.entries.length === 0) writeText('Nothing was forgotten in this crawl.\n');
  else writeText(forgotten.entries.map((entry) => `${entryLine(entry)}\n`).join(''));
  if (forgotten.unfinished !== undefined)
    process.stderr.write(`The last deletion was cut off. To complete it: orbweaver forget ${place.flag}\n`);
}

async function allow(place: ForgetPlace, { json }: ForgetFlags, what: readonly string[]): Promise<void> {
  const allowed = await place.allow(what);
  if (json === true) process.stdout.write(`${JSON.stringify({ allowed })}\n`);
  if (allowed === 0)
    throw new OrbweaverError('URL_NOT_FOUND', `Nothing was forgotten by ${what.join(' ')}, or it is allowed already.`, {
      remedy: `As they were written: orbweaver forget --list ${place.flag}`,
    });
  if (json !== true)
    writeText(
      'The next crawl may fetch it again, where a link or a seed leads there. What was deleted does not come back.\n',
    );
}

function describe({ entries, others, requeued, completed, notes }: ForgetReport): string {
  const lines = entries.map(entryLine);
  if (completed) lines.unshift('A deletion that was cut off is complete.');
  if (others > 0)
    lines.push(`${counted(others, 'URL')} that had not been visited ${others === 1 ? 'is' : 'are'} forgotten, too.`);
  if (requeued > 0)
    lines.push(
      `${counted(requeued, 'other page')} had the same content as a deleted one. The next crawl fetches ${requeued === 1 ? 'it' : 'them'} again.`,
    );
  return [...lines, ...notes, ''].join('\n');
}

function entryLine({ at, asked, pages, records, bytes, allowedAt }: ForgottenEntry): string {
  const again = allowedAt === undefined ? '' : `; allowed again on ${time(allowedAt)}`;
  return `${time(at)}  ${terminalText(asked)}: ${summary({ pages, records, bytes })} deleted${again}`;
}

function summary(sum: { pages: number; records: number; bytes: number }): string {
  return `${counted(sum.pages, 'page')}, ${counted(sum.records, 'archive record')} (${writtenBytes(sum.bytes)})`;
}

function planned({ urls, others, records, bytes }: ForgetPlan): string {
  const stored = summary({ pages: urls.length, records, bytes });
  return others === 0 ? stored : `${stored} and ${counted(others, 'URL')} that had not been visited`;
}

function listed(urls: readonly string[], most: number = urls.length): string {
  const more = urls.length > most ? `and ${urls.length - most} more\n` : '';
  return (
    urls
      .slice(0, most)
      .map((url) => `${terminalText(url)}\n`)
      .join('') + more
  );
}

function nothingNamed(message: string): OrbweaverError {
  return new OrbweaverError('USAGE', message, {
    remedy: 'Name a URL, a host or a pattern, such as: orbweaver forget https://example.org/page',
  });
}

function nothingMatches(what: readonly string[], { name, flag }: ForgetPlace): OrbweaverError {
  return new OrbweaverError('URL_NOT_FOUND', `Nothing in ${name} matches ${what.join(' ')}. Nothing was changed.`, {
    remedy: `To see what is there: orbweaver pages ${flag}`,
  });
}
