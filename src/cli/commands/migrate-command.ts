import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { HostSpread } from '../../frontier/partition-of.ts';
import { counted } from '../output/written-amount.ts';

interface MigrateFlags {
  readonly from: string;
  readonly to: string;
  readonly partitions?: string;
  readonly partitionBy?: string;
  readonly politeness?: string;
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
    .option('--partitions <number>', 'into a database: spread over so many partitions, for several nodes')
    .option('--partition-by <what>', 'with --partitions: site or hierarchy, as the setting of that name')
    .option('--politeness <by>', 'with --partitions: what the crawl keeps politeness by, as the setting of that name')
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
      const { partitions, partitionBy, politeness } = flags;
      if (!DATABASE.test(to) && (partitions ?? partitionBy ?? politeness) !== undefined)
        throw new OrbweaverError('USAGE', 'A crawl in a folder has one partition.', {
          remedy: 'Leave out --partitions, --partition-by and --politeness: they say how a database holds a crawl.',
        });
      if (DATABASE.test(to)) await toStore(from, to, flags, onProgress);
      else await toFolder(from, to, onProgress);
    });
}

async function toStore(
  folder: string,
  url: string,
  flags: MigrateFlags,
  onProgress: (text: string) => void,
): Promise<void> {
  const { requireCrawl } = await import('../../engines/state-folder.ts');
  const { moveFolderToStore } = await import('../../engines/open-store.ts');
  requireCrawl(folder);
  const spread = await spreadOf(folder, url, flags);
  if (spread.count > 1) return await toNodes(folder, url, spread, onProgress);
  const rows = await moveFolderToStore({
    ...{ url, folder, clock: systemClock, random: Math.random },
    onProgress: (moved) => onProgress(`${moved} rows`),
  });
  process.stdout.write(
    `${rows === 0 ? 'The crawl is in the database already.' : `${rows} rows are in the database.`} ` +
      `It goes on with: orbweaver crawl --store … --dir ${shellWord(folder)}\n`,
  );
}

/** By the settings of the crawl, as far as its folder or the environment has them. */
async function spreadOf(folder: string, store: string, flags: MigrateFlags): Promise<HostSpread> {
  const { loadSettingsFile } = await import('../../base/settings/load-settings-file.ts');
  const { resolveSettings } = await import('../../base/settings/resolve-settings.ts');
  const { settingsPath } = await import('../../crawl/crawl-folder.ts');
  const { partitions, partitionBy, politeness } = flags;
  const given = Object.entries({ partitions, partitionBy, politeness }).filter(([, value]) => value !== undefined);
  const { settings } = resolveSettings({
    flags: { ...Object.fromEntries(given), store },
    env: process.env,
    file: await loadSettingsFile(settingsPath(folder), { optional: true }),
  });
  return {
    count: settings.partitions,
    by: settings.partitionBy === 'hierarchy' ? 'hierarchy' : 'site',
    byDomain: settings.politeness.includes('domain'),
  };
}

async function toNodes(
  folder: string,
  store: string,
  spread: HostSpread,
  onProgress: (text: string) => void,
): Promise<void> {
  const { migrateToNodes } = await import('../../crawl/nodes/migrate-to-nodes.ts');
  const move = { store, folder, spread, clock: systemClock, random: Math.random, onProgress };
  const rows = await migrateToNodes(move);
  const { count } = spread;
  process.stdout.write(
    `${rows === 0 ? 'The crawl is in the database already.' : `${rows} rows are in ${count} partitions of the database.`} ` +
      `${folder} is the folder of its first node, which goes on, with the settings that the crawl had, with:\n` +
      `  orbweaver crawl --store … --partitions ${count} --dir ${shellWord(folder)}\n` +
      'Others join once that has begun: orbweaver node --store … --folder DIR\n',
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
  orbweaver migrate --from my-crawl --to postgres://db.example.org/crawls --partitions 64     several nodes do, the first in its folder
  orbweaver migrate --from postgres://db.example.org/crawls --to my-crawl     also a crawl of several nodes, with their archives

Nothing is deleted where it came from. If it is cut off, the same command goes on.`;
