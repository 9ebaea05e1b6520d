import { OrbweaverError } from '../../../base/errors.ts';
import { shellWord } from '../../../base/shell-word.ts';
import type { ExportFormat, ExportOptions } from '../../../contracts/export.ts';
import { exportEntry } from '../../../export/export-formats.ts';
import type { Compression } from '../../../export/output/compression.ts';
import { checkRequest, type ExportResult, hasCheckpoint, runExport } from '../../../export/run-export.ts';
import type { AskedCrawl } from '../../arguments/asked-crawl.ts';
import { terminalText } from '../../output/terminal-text.ts';
import { writtenBytes } from '../../output/written-amount.ts';
import { setNamed } from '../extract/set-named.ts';
import { askedFilter, type FilterFlags } from './asked-filter.ts';
import { ExportDisplay } from './export-display.ts';
import { listFormats } from './list-formats.ts';
import { openAskedSource } from './open-asked-source.ts';

export interface ExportFlags extends AskedCrawl, FilterFlags {
  readonly output?: string;
  readonly table?: string;
  readonly columns?: string;
  readonly set?: string;
  readonly base?: string;
  readonly title?: string;
  readonly compress?: Compression;
  readonly force?: boolean;
  readonly restart?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Writes an export, or goes on with one that was cut off. */
export async function runExportCommand(name: string, flags: ExportFlags): Promise<void> {
  if (name === 'list') {
    process.stdout.write(await listFormats());
    return;
  }
  const entry = exportEntry(name);
  const format = await entry.load();
  const filter = askedFilter(flags);
  const options = await askedOptions(flags);
  checkRequest(name, format, options, filter);
  const to = askedTarget(name, format, flags);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new StoppedExport());
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const display = flags.quiet || flags.json ? undefined : new ExportDisplay(process.stderr);
  try {
    await using asked = await openAskedSource(flags, filter, stopping.signal);
    const { source } = asked;
    const result = await runExport({
      ...{ entry, format, source, options, to, asked: askedText(flags), signal: stopping.signal },
      ...(flags.compress === undefined ? {} : { compression: flags.compress }),
      ...{ force: flags.force === true, restart: flags.restart === true },
      onProgress: (rows) => display?.show(rows),
      // What is left out is told also to those who want no progress.
      onNotice: (text) =>
        display === undefined ? process.stderr.write(`${terminalText(text)}\n`) : display.notice(text),
    });
    display?.end();
    tell(result, flags, to);
  } catch (error) {
    display?.end();
    if (!(error instanceof StoppedExport)) throw error;
    process.stderr.write(`Stopped. ${typeof to === 'string' ? whatIsNext(to, format) : 'Nothing more is written.'}\n`);
    process.exitCode = 130;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

class StoppedExport extends Error {}

/** Some formats have no place to go on from, and before the first checkpoint none has. */
function whatIsNext(to: string, format: ExportFormat): string {
  return hasCheckpoint(to, format) ? 'The same command goes on.' : 'The same command begins again.';
}

async function askedOptions({ table, columns, set, base, title, dir }: ExportFlags): Promise<ExportOptions> {
  return {
    ...(set === undefined ? {} : { set: await askedSet(dir, set) }),
    ...(table === undefined ? {} : { table }),
    ...(columns === undefined ? {} : { columns: columns.split(/[\s,]+/).filter((column) => column !== '') }),
    ...(base === undefined ? {} : { base }),
    ...(title === undefined ? {} : { title }),
  };
}

async function askedSet(dir: string, name: string): Promise<ExportOptions['set']> {
  const { requireCrawl } = await import('../../../engines/state-folder.ts');
  requireCrawl(dir);
  const { requireRows } = await import('../../../engines/open-rows.ts');
  using reader = requireRows(dir);
  return setNamed(reader.sets(), name).rules;
}

/** Relative times are what they were: an export of the last seven days that goes on is the same export. */
function askedText({ host, from, to, language, type, query, usage, limit }: ExportFlags): string {
  return JSON.stringify([host, from, to, language, type, query, usage, limit]);
}

function askedTarget(
  name: string,
  format: ExportFormat,
  { output, compress }: ExportFlags,
): string | typeof process.stdout {
  if (format.target === 'folder' && compress !== undefined)
    throw new OrbweaverError('USAGE', `The format ${name} writes a folder, which is not compressed as a whole.`, {
      remedy: 'Leave --compress out, and pack the folder with tar or zip.',
    });
  if (format.target === 'stream' && !format.isCompressible && compress !== undefined)
    throw new OrbweaverError('USAGE', `The format ${name} is compressed already.`, { remedy: 'Leave --compress out.' });
  if (output === '')
    throw new OrbweaverError('USAGE', '--output is empty.', {
      remedy: 'Name a file, or leave it out for standard output.',
    });
  if (output !== undefined && output !== '-') return output;
  if (format.target === 'folder')
    throw new OrbweaverError('USAGE', `The format ${name} writes a folder.`, {
      remedy: `Name one that is not there yet: orbweaver export ${name} --output ${shellWord(`my-${name}`)}`,
    });
  const isBinary = !format.isCompressible || compress !== undefined;
  if (isBinary && process.stdout.isTTY === true)
    throw new OrbweaverError('USAGE', 'This is no text for a terminal.', {
      remedy: 'Name a file with --output, or lead standard output into one.',
    });
  return process.stdout;
}

function tell({ rows, bytes, resumedAt }: ExportResult, flags: ExportFlags, to: unknown): void {
  const path = typeof to === 'string' ? to : undefined;
  const out = path === undefined ? process.stderr : process.stdout;
  if (flags.json === true) {
    out.write(`${JSON.stringify({ rows, bytes, ...(resumedAt === undefined ? {} : { resumedAt }), output: path })}\n`);
    return;
  }
  if (flags.quiet === true) return;
  const before = resumedAt === undefined ? '' : `, of which ${resumedAt.toLocaleString('en')} by the run before`;
  const where = path === undefined ? '' : ` in ${path}`;
  process.stderr.write(
    `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}${before}, ${writtenBytes(bytes)}${where}.\n`,
  );
  if (rows === 0) process.stderr.write('Nothing matches what was asked for.\n');
}
