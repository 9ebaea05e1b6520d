import { failWith } from './output/fail-with.ts';
import { runProgram } from './program.ts';

endQuietlyOnClosedPipes();
await runProgram(process.argv);

/**
 * Who reads our output may leave early, as head does: then there is nobody to write for, which is no fault. Progress goes
 * to standard error; a crawl does not end because nobody looks at it.
 */
function endQuietlyOnClosedPipes(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failWith(error);
    process.exit();
  });
  process.stderr.on('error', () => {});
}
