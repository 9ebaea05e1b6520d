import { basename } from 'node:path';
import { shellWord } from '../../../base/shell-word.ts';
import type { ForeignFileReport } from '../../../contracts/foreign-capture.ts';
import type { LookingThrough } from '../../../crawl/foreign/look-through.ts';
import type { CrawlResult } from '../../output/crawl-summary.ts';
import { StatusLine } from '../../output/status-line.ts';
import { terminalText } from '../../output/terminal-text.ts';
import { counted, writtenBytes } from '../../output/written-amount.ts';

/** What an import came to. */
export interface ImportSummary
  extends Pick<
    CrawlResult,
    'ended' | 'pages' | 'outcomes' | 'refused' | 'failed' | 'seconds' | 'cpuSeconds' | 'maxRssMb'
  > {
  readonly files: readonly ForeignFileReport[];
  /** Records by kind, of all files. */
  readonly records: Readonly<Record<string, number>>;
  /** Records that were refused, and damage. */
  readonly refusedRecords: number;
}

/** Files to tell damage of; the object of `--json` has all. */
const NAMED = 20;
const PLAIN_MS = 5000;

export function importSummary(files: readonly ForeignFileReport[], result: CrawlResult): ImportSummary {
  const records: Record<string, number> = {};
  let refusedRecords = 0;
  for (const { counts, refused: bad } of files) {
    for (const [kind, count] of Object.entries(counts)) records[kind] = (records[kind] ?? 0) + count;
    for (const { count } of bad) refusedRecords += count;
  }
  const { ended, pages, outcomes, refused, failed, seconds, cpuSeconds, maxRssMb } = result;
  return {
    ...{ ended, pages, outcomes, refused, failed, seconds, cpuSeconds, maxRssMb },
    records,
    refusedRecords,
    files,
  };
}

export function describeImport(summary: ImportSummary, folder: string): string {
  const { records, refusedRecords, files, pages, refused, failed } = summary;
  const { records: total = 0, ...kinds } = records;
  const { archive: links = 0, ...others } = refused;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const hurt = files.filter((file) => file.refused.length > 0);
  const lines = [
    `${sentenceOf(summary)} ${counted(pages, 'page')} of ${counted(files.length, 'file')}, ${writtenBytes(bytes)}.`,
    `  records  ${total}: ${list(kinds)}${refusedRecords === 0 ? '' : `; ${refusedRecords} refused or damaged`}`,
    ...hurt.slice(0, NAMED).flatMap(describeDamage),
    ...(hurt.length > NAMED ? [`           and ${hurt.length - NAMED} more files with damage: --json lists all`] : []),
    `  visits   ${list(summary.outcomes)}`,
    `  refused  ${list(others)}${links === 0 ? '' : `; ${counted(links, 'link')} lead out of the archives`}`,
    `  failed   ${list(failed)}`,
    `  cost     ${summary.seconds.toFixed(1)} s, ${summary.cpuSeconds.toFixed(1)} s of CPU, ${summary.maxRssMb} MB of memory at most (this run)`,
    `  folder   ${folder}`,
    `To search it: orbweaver search QUERY --dir ${shellWord(folder)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function describeDamage({ path, refused }: ForeignFileReport): string[] {
  return refused.map(
    ({ why, count, first }, at) =>
      `${at === 0 ? `  ${terminalText(basename(path))}: ` : '    '}${terminalText(why)}${count === 1 ? '' : ` (${count} times)`}, ${count === 1 ? '' : 'first '}${terminalText(first)}`,
  );
}

function sentenceOf({ ended }: ImportSummary): string {
  if (ended === 'stopped') return 'Stopped; the same command goes on.';
  return ended === 'finished' ? 'Imported.' : `Paused (${ended}); the same command goes on.`;
}

function list(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.length === 0 ? 'none' : some.map(([kind, count]) => `${count} ${kind}`).join(', ');
}

/** How far the files are looked through: a line that is rewritten in a terminal, a plain one now and then elsewhere. */
export class LookingDisplay {
  readonly #out: NodeJS.WriteStream;
  readonly #line: StatusLine | undefined;
  #written = 0;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    this.#line = out.isTTY === true ? new StatusLine(out, [process.stdout, process.stderr]) : undefined;
  }

  show({ file, files, number, records, captures }: LookingThrough): void {
    const text = `looking through file ${number} of ${files}, ${terminalText(basename(file))}: ${counted(records, 'record')}, ${counted(captures, 'capture')}`;
    if (this.#line !== undefined) this.#line.show(text);
    else if (performance.now() - this.#written >= PLAIN_MS) {
      this.#written = performance.now();
      this.#out.write(`${text}\n`);
    }
  }

  end(): void {
    this.#line?.[Symbol.dispose]();
  }
}
