/** Stands in for the process of a crawl: goes on until it is told to end, or ends as its folder says. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[process.argv.indexOf('--dir') + 1];
const end = join(folder, 'end-with');
process.on('SIGTERM', () => process.exit(130));
setInterval(() => {
  // A file that is only just being written is still empty.
  const code = existsSync(end) ? readFileSync(end, 'utf8') : '';
  if (code !== '') process.exit(Number(code));
}, 20);
// Last: whoever reads this may signal at once.
console.error(`begun: ${process.argv.slice(2).join(' ')}`);
