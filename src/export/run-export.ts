import { existsSync, lstatSync, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { diskError } from '../base/disk-error.ts';
import { OrbweaverError } from '../base/errors.ts';
import { shellWord } from '../base/shell-word.ts';
import type {
  ExportEntry,
  ExportFilter,
  ExportFormat,
  ExportJob,
  ExportOptions,
  ExportSource,
  FilterName,
} from '../contracts/export.ts';
import { lockFile } from '../engines/folder-lock.ts';
import type { Compression } from './output/compression.ts';
import { FileOutput, type OutputToOpen } from './output/file-output.ts';
import { FolderOutput } from './output/folder-output.ts';
import { partNames } from './output/part-names.ts';
import { StreamOutput } from './output/stream-output.ts';

export interface ExportRequest {
  readonly entry: ExportEntry;
  readonly format: ExportFormat;
  readonly source: ExportSource;
  readonly options: ExportOptions;
  /** What was asked for, as typed: another run goes on only where it asks for the same. Default: the filter. */
  readonly asked?: string;
  /** A path, or a stream that takes the bytes as they come. */
  readonly to: string | Writable;
  readonly compression?: Compression;
  /** Replaces a file that is there already. */
  readonly force?: boolean;
  /** Begins again where an earlier run of the same export was cut off. */
  readonly restart?: boolean;
  /** Ends the export with its reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (rows: number) => void;
  readonly onNotice?: (text: string) => void;
  /** Default: 4 MiB between two checkpoints. */
  readonly checkpointBytes?: number;
}

export interface ExportResult {
  readonly rows: number;
  /** Bytes that this run has stored; of a file all of them. */
  readonly bytes: number;
  /** Rows of the run that was cut off, where this one went on with it. */
  readonly resumedAt?: number;
}

const CHECKPOINT_BYTES = 4 << 20;
/** Raised where exports of an earlier version cannot be gone on with. */
const PART_VERSION = 2;
const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;

const FLAG_OF: Readonly<Record<FilterName, string>> = {
  hosts: '--host',
  from: '--from',
  to: '--to',
  languages: '--language',
  mediaTypes: '--type',
  query: '--query',
  usage: '--usage',
  limit: '--limit',
};

/** Refuses options and filters that a format cannot follow: an export that passes over what was asked for is a wrong one. */
export function checkRequest(name: string, format: ExportFormat, options: ExportOptions, filter: ExportFilter): void {
  for (const option of Object.keys(options) as (keyof ExportOptions)[])
    if (!format.options.includes(option))
      throw new OrbweaverError('USAGE', `The format ${name} has no --${option}.`, {
        remedy: 'orbweaver export list tells what each format takes.',
      });
  format.check?.(options);
  const unfit = format.unfit?.(options) ?? {};
  for (const filterName of Object.keys(filter) as FilterName[]) {
    const why = unfit[filterName];
    if (why === undefined) continue;
    throw new OrbweaverError('USAGE', `${FLAG_OF[filterName]} does not fit the format ${name}: ${why}`, {
      remedy: `Leave ${FLAG_OF[filterName]} out, or choose another format or table.`,
    });
  }
}

/** Writes an export, or goes on with one that was cut off. */
export async function runExport(request: ExportRequest): Promise<ExportResult> {
  const { format } = request;
  if (typeof request.to !== 'string') return await intoStream(request, request.to);
  const to = placeOf(request.to, format);
  await refuseExisting(request, to);
  await mkdir(dirname(to), { recursive: true }).catch((cause: unknown) => {
    // A disk that may not be written says that something is missing.
    throw new OrbweaverError('FOLDER_UNWRITABLE', `The folder ${dirname(to)} cannot be made (${String(cause)}).`, {
      ...{ remedy: 'Name another place with --output.', cause },
    });
  });
  const names = partNames(to);
  const isOurs = existsSync(names.lock) || existsSync(names.state);
  using _lock = lockOf(to);
  try {
    if (!isOurs) refuseForeign(names.data);
    return format.target === 'folder'
      ? await intoFile(request, format, await FolderOutput.open(outputOf(request, to)))
      : await intoFile(request, format, await FileOutput.open(outputOf(request, to)));
  } finally {
    await rm(names.lock, { force: true });
  }
}

/** Whether something is left of an export to this place that the next run goes on from. */
export function hasCheckpoint(path: string, format: ExportFormat): boolean {
  return existsSync(partNames(placeOf(path, format)).state);
}

/** As its part can be named beside it: `pages/` is the folder `pages`. */
function placeOf(path: string, { target }: ExportFormat): string {
  const plain = path.replace(/(?<=.)[/\\]+$/, '');
  if (plain !== path && target === 'stream')
    throw new OrbweaverError('USAGE', `${path} is the name of a folder.`, {
      remedy: 'This format writes a file: name one with --output.',
    });
  return /(?:^|[/\\])\.\.?$/.test(plain) ? resolve(plain) : plain;
}

async function intoStream(request: ExportRequest, stream: Writable): Promise<ExportResult> {
  const { format, source, compression, checkpointBytes = CHECKPOINT_BYTES } = request;
  if (format.target === 'folder') throw new OrbweaverError('INTERNAL', 'A folder cannot be a stream.');
  const output = new StreamOutput(stream, checkpointBytes, compression);
  const { rows } = await format.write(source, output, jobOf(request));
  await output.finish();
  return { rows, bytes: output.bytes };
}

async function intoFile(
  request: ExportRequest,
  format: ExportFormat,
  output: FileOutput | FolderOutput,
): Promise<ExportResult> {
  const job = jobOf(request, output);
  try {
    const { rows } =
      format.target === 'folder'
        ? await format.write(request.source, output as FolderOutput, job)
        : await format.write(request.source, output as FileOutput, job);
    const bytes = await output.finish();
    return { rows, bytes, ...(output.from === undefined ? {} : { resumedAt: output.from.rows }) };
  } catch (error) {
    await output.abandon();
    throw error;
  }
}

function jobOf({ options, onProgress, onNotice, signal }: ExportRequest, output?: Pick<FileOutput, 'from'>): ExportJob {
  onProgress?.(output?.from?.rows ?? 0);
  return {
    options,
    ...(output?.from === undefined ? {} : { from: output.from }),
    ...(signal === undefined ? {} : { signal }),
    progress: (rows) => onProgress?.(rows),
    notice: (text) => onNotice?.(text),
  };
}

function outputOf(request: ExportRequest, path: string): OutputToOpen {
  const { entry, format, source, options, compression, restart, checkpointBytes = CHECKPOINT_BYTES } = request;
  const signature = JSON.stringify([
    ...[PART_VERSION, entry.name, options, compression ?? 'none', source.identity, checkpointBytes],
    request.asked ?? JSON.stringify(source.filter),
    format.needsSameCrawl === true ? source.signature() : '',
  ]);
  return {
    ...{ path, signature, checkpointBytes, restart: restart === true || !source.isResumable },
    ...(compression === undefined ? {} : { compression }),
  };
}

async function refuseExisting({ format, force }: ExportRequest, path: string): Promise<void> {
  // Also a link that leads nowhere is somebody's.
  if (!isThere(path)) return;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile() && !found.isDirectory())
    throw new OrbweaverError('USAGE', `${path} is no file: an export would replace it.`, {
      remedy: `Lead standard output into it: orbweaver export … > ${shellWord(path)}`,
    });
  const entries = await readdir(path).catch(() => undefined);
  if (format.target === 'folder') {
    if (entries?.length === 0) return;
    throw new OrbweaverError('USAGE', `${path} is there already.`, {
      remedy: 'This format writes a folder: name one with --output that is not there, or is empty.',
    });
  }
  if (entries !== undefined)
    throw new OrbweaverError('USAGE', `${path} is a folder.`, {
      remedy: 'This format writes a file: name one with --output.',
    });
  if (force === true) return;
  throw new OrbweaverError('USAGE', `${path} is there already.`, {
    remedy: `Name another file with --output, or replace it: --force. To see what it is: ls -l ${shellWord(path)}`,
  });
}

/** What has the name of a part, and was not left by an export, is not ours to write over. */
function refuseForeign(data: string): void {
  if (!isThere(data)) return;
  throw new OrbweaverError('USAGE', `${data} is there already, and no export has left it.`, {
    remedy: 'Move it away, or name another place with --output.',
  });
}

/** Whatever it is; a name that no file can have is told when one is written. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function lockOf(path: string): Disposable {
  try {
    return lockFile(partNames(path).lock, `Another process is writing the export ${path}.`);
  } catch (error) {
    const cause = error instanceof OrbweaverError ? error.cause : error;
    const { errcode } = (cause ?? {}) as { readonly errcode?: number };
    if (errcode === SQLITE_BUSY) throw error;
    if (errcode === SQLITE_FULL) throw diskError({ code: 'ENOSPC' }, `the export ${path}`);
    throw new OrbweaverError('FOLDER_UNWRITABLE', `No file can be written beside ${path} (${String(cause)}).`, {
      remedy: 'Look for room and permission in its folder, or name another place with --output.',
      cause,
    });
  }
}
