/** Stands in for the process of a crawl: goes on until it is told to end, or ends as its folder says. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[process.argv.indexOf('--dir') + 1];
const end = join(folder, 'end-with');
console.error(`begun: ${process.argv.slice(2).join(' ')}`);
process.on('SIGTERM', () => process.exit(130));
setInterval(() => existsSync(end) && process.exit(Number(readFileSync(end, 'utf8'))), 20);
