import { diskError } from '../base/disk-error.ts';
import { OrbweaverError } from '../base/errors.ts';
import { failWith } from './output/fail-with.ts';
import { runProgram } from './program.ts';

endQuietlyOnClosedPipes();
await runProgram(process.argv);

/** A reader may leave early, as head does: no fault. Progress goes to standard error; nobody reading it ends no crawl. */
function endQuietlyOnClosedPipes(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failWith(unwritten(error));
    process.exit();
  });
  process.stderr.on('error', () => {});
}

/** What went to standard output is gone: nothing goes on with it. */
function unwritten(cause: NodeJS.ErrnoException): OrbweaverError {
  if (cause.code !== 'ENOSPC') return diskError(cause, 'standard output');
  const remedy = 'Free some space and run the same command again.';
  return new OrbweaverError('DISK_FULL', 'No space is left for standard output.', { remedy, cause });
}
