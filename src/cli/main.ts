import { failWith } from './output/fail-with.ts';
import { runProgram } from './program.ts';

endQuietlyOnClosedPipes();
await runProgram(process.argv);

/** A reader may leave early, as head does: no fault. Progress goes to standard error; nobody reading it ends no crawl. */
function endQuietlyOnClosedPipes(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failWith(error);
    process.exit();
  });
  process.stderr.on('error', () => {});
}
