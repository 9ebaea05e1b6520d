import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import { counted } from '../output/written-amount.ts';

interface MigrateFlags {
  readonly from: string;
  readonly to: string;
  readonly quiet?: boolean;
}

const DATABASE = /^postgres(?:ql)?:\/\//;

/** `migrate`: a crawl from a folder into a database, or back. */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('Move a crawl that is stopped from its folder into a database, or from a database into a folder.')
    .requiredOption('--from <place>', 'the crawl folder, or postgres://…')
    .requiredOption('--to <place>', 'postgres://…, or a folder')
    .option('--quiet', 'no progress')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: MigrateFlags) => {
      const { from, to } = flags;
      if (DATABASE.test(from) === DATABASE.test(to))
        throw new OrbweaverError('USAGE', 'One of --from and --to is a folder, the other a database.', {
          remedy: 'For example: orbweaver migrate --from my-crawl --to postgres://db.example.org/crawls',
        });
      const onProgress = (text: string): void => {
        if (!flags.quiet && process.stderr.isTTY) process.stderr.write(`${text}\n`);
      };
      if (DATABASE.test(to)) await toStore(from, to, onProgress);
      else await toFolder(from, to, onProgress);
    });
}

async function toStore(folder: string, url: string, onProgress: (text: string) => void): Promise<void> {
  const { requireCrawl } = await import('../../engines/state-folder.ts');
  const { moveFolderToStore } = await import('../../engines/open-store.ts');
  requireCrawl(folder);
  const rows = await moveFolderToStore({
    ...{ url, folder, clock: systemClock, random: Math.random },
    onProgress: (moved) => onProgress(`${moved} rows`),
  });
  process.stdout.write(
    `${rows === 0 ? 'The crawl is in the database already.' : `${rows} rows are in the database.`} ` +
      `It goes on with: orbweaver crawl --store … --dir ${shellWord(folder)}\n`,
  );
}

async function toFolder(store: string, folder: string, onProgress: (text: string) => void): Promise<void> {
  const { migrateToFolder } = await import('../../crawl/nodes/migrate-crawl.ts');
  const { pages, partitions } = await migrateToFolder({
    ...{ store, folder, clock: systemClock, random: Math.random, onProgress },
  });
  process.stdout.write(
    `${counted(pages, 'visited URL')} of ${counted(partitions, 'partition')} are in ${folder}. ` +
      `The crawl goes on with: orbweaver crawl --dir ${shellWord(folder)}\n` +
      'The database is as it was. Do not crawl with both; drop its schema once the folder is all you need.\n',
  );
}

const EXAMPLES = `
Examples:
  orbweaver migrate --from my-crawl --to postgres://db.example.org/crawls     one process goes on with it, in its folder
  orbweaver migrate --from postgres://db.example.org/crawls --to my-crawl     also a crawl of several nodes, with their archives

Nothing is deleted where it came from. If it is cut off, the same command goes on.`;
