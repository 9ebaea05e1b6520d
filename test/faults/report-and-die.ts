/** Makes the report of a folder, says so line by line, and waits at the line that is named: killed there by test/faults/killed-report.test.ts. */
import { writeSync } from 'node:fs';
import { makeReport } from '../../src/crawl/report/site/make-report.ts';

const [, , folder, at] = process.argv;
makeReport(folder, ({ stage, urls }) => {
  const line = `${stage} ${urls}`;
  writeSync(1, `${line}\n`);
  // However late the one who kills reads it, the report is not made meanwhile.
  if (line.startsWith(at)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
