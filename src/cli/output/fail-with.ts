import { OrbweaverError } from '../../base/errors.ts';
import { knownStorageError } from '../../engines/storage-error.ts';
import { logError, wantsJsonLog } from './crawl-log.ts';
import { terminalLines } from './terminal-text.ts';

/** Tells an error in one place and one form: code, what happened, what to do. `folder`: that of the command. */
export function failWith(cause: unknown, folder = 'my-crawl'): void {
  const error = knownStorageError(cause, folder) ?? cause;
  if (wantsJsonLog(process.argv, process.env)) {
    logError(error);
    process.exitCode = error instanceof OrbweaverError ? error.exitCode : 70;
    return;
  }
  if (error instanceof OrbweaverError) {
    process.stderr.write(`orbweaver: ${error.code}: ${terminalLines(error.message)}\n`);
    if (error.remedy !== undefined) process.stderr.write(`  ${terminalLines(error.remedy)}\n`);
    if (process.env.ORBWEAVER_TRACE !== undefined) process.stderr.write(`${error.stack}\n`);
    process.exitCode = error.exitCode;
    return;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `orbweaver: INTERNAL: ${text}\n  This is a fault in Orbweaver. Nothing that was settled is lost; the same command resumes.\n`,
  );
  process.exitCode = 70;
}
