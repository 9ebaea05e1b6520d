import type { Command } from 'commander';
import { OrbweaverError } from '../../../base/errors.ts';
import { shellWord } from '../../../base/shell-word.ts';
import { leaveWord } from '../../../crawl/notify/push-inbox.ts';

export function addPushCommand(program: Command): void {
  program
    .command('push')
    .description('Tell a crawl, running or not, that pages are new or have changed.')
    .argument('<url...>')
    .option('--dir <folder>', 'the crawl folder', 'my-crawl')
    .action(async (urls: string[], { dir }: { dir: string }) => {
      const { hasState } = await import('../../../engines/state-folder.ts');
      if (!hasState(dir)) {
        throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `There is no crawl in ${dir}.`, {
          remedy: `Start one with: orbweaver crawl URL --dir ${shellWord(dir)}`,
        });
      }
      const wrong = urls.find((url) => !/^https?:\/\//i.test(url) || !URL.canParse(url));
      if (wrong !== undefined) {
        throw new OrbweaverError('USAGE', `${wrong} is not an http or https URL.`, {
          remedy: 'Write it as https://example.org/path.',
        });
      }
      await leaveWord(dir, urls, Date.now());
      const them = urls.length === 1 ? 'it' : 'them';
      process.stdout.write(
        `Told. A running crawl looks at ${them} within seconds, as far as scope, robots.txt, delays and requests-per-day allow; otherwise the next one does.\n`,
      );
    });
}
