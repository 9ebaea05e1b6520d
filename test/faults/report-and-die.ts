/** Makes the report of a folder, and says so line by line; killed by test/faults/killed-report.test.ts wherever it is. */
import { makeReport } from '../../src/crawl/report/site/make-report.ts';

makeReport(process.argv[2], ({ stage, urls }) => process.stdout.write(`${stage} ${urls}\n`));
process.stdout.write('made\n');
