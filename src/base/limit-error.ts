import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import { OrbweaverError } from './errors.ts';

const CODES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE']);
const NODE_LOADING: ReadonlySet<unknown> = new Set(['ERR_WORKER_INIT_FAILED', 'ERR_INVALID_PACKAGE_CONFIG']);
/** SQLite says no more than that it cannot open a file. */
const SQLITE_CANTOPEN = 14;

/** The error of a process, or a machine, that may not open another file; undefined for everything else. */
export function limitError(cause: unknown): OrbweaverError | undefined {
  const { code, errcode, cause: within } = (cause ?? {}) as { code?: unknown; errcode?: number; cause?: unknown };
  const found = CODES.has(code)
    ? code
    : (said(cause) ?? ((errcode ?? 0) % 256 === SQLITE_CANTOPEN ? probe() : undefined));
  if (found === undefined) return within === undefined ? undefined : limitError(within);
  const limit = openFileLimit();
  const who =
    found === 'ENFILE'
      ? 'The machine has as many files open as it may have'
      : `This process may have ${limit} files and sockets open at a time, and all are in use`;
  return new OrbweaverError('FILE_LIMIT', `${who}.`, {
    remedy:
      `A crawl needs one for each connection (the setting concurrency) and about ${NEEDED_BESIDE_CONNECTIONS} more. Allow more with ` +
      '`ulimit -n 4096` in the same shell, or lower --concurrency; then run the same command again: it resumes where it stopped.',
    cause,
  });
}

/** Threads, databases, archive files and segments of the index. */
const NEEDED_BESIDE_CONNECTIONS = 250;

/** How many files and sockets this process may have open; undefined where the system does not tell. Opens none itself. */
function openFileLimit(): number | undefined {
  const report = process.report?.getReport() as { userLimits?: { open_files?: { soft?: unknown } } } | undefined;
  const soft = report?.userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}

/** Node's own errors of threads and modules that could not be loaded tell the reason in their text alone. */
function said(cause: unknown): string | undefined {
  const { code, message } = (cause ?? {}) as { code?: unknown; message?: unknown };
  if (!NODE_LOADING.has(code) || typeof message !== 'string') return undefined;
  return /too many open files/.test(message) ? 'EMFILE' : /\bE[MN]FILE\b/.exec(message)?.[0];
}

/** Database, log, journal, their folder and more: those that could be opened are closed again when the last one could not. */
const FILES_OF_A_DATABASE = 8;

function probe(): unknown {
  const opened: number[] = [];
  try {
    for (let count = 0; count < FILES_OF_A_DATABASE; count++) opened.push(openSync(devNull, 'r'));
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return CODES.has(code) ? code : undefined;
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}
