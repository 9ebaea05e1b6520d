import { shellWord } from '../../base/shell-word.ts';
import type { Crawl } from '../../crawl/crawl.ts';
import { terminalText } from './terminal-text.ts';

const NAMED = 5;

/** Ships the last archive files, and says which are left, why, and how to go on. */
export async function shipRest(crawl: Pick<Crawl, 'ship' | 'on'>, folder: string, again: string): Promise<void> {
  // Whoever waits is to know why.
  using _heard = crawl.on('warning', ({ message }) => process.stderr.write(`${terminalText(message)}\n`));
  const unshipped = await crawl.ship();
  if (unshipped === undefined || unshipped.files.length === 0) return;
  const { files, why } = unshipped;
  const more = files.length > NAMED ? ` and ${files.length - NAMED} more` : '';
  const because = why === '' ? '' : ` (${why})`;
  process.stderr.write(
    `${files.length === 1 ? 'An archive file is' : `${files.length} archive files are`} not shipped to the archive store yet${because}: ${files.slice(0, NAMED).join(', ')}${more}. Nothing is lost: they stay in ${shellWord(folder)}. To ship them, also when the crawl is over: ${again}\n`,
  );
}
