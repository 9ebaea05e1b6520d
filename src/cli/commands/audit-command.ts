import type { Command } from 'commander';
import { robotsAgentOf } from '../../base/robots-names.ts';
import { addSettingOptions, givenSettings, settingsOf } from '../arguments/setting-options.ts';

interface AuditFlags {
  readonly dir: string;
  readonly also?: readonly string[];
  readonly json?: boolean;
}

/** `audit`: whether a crawl kept the rules, proven from its archive; it works beside a running crawl. */
export function addAuditCommand(program: Command): void {
  const command = program
    .command('audit')
    .description('Prove from the archive of a crawl that it kept its delays and robots.txt, or show where it did not.')
    .option('--dir <folder>', 'the crawl folder', 'my-crawl')
    .option('--also <folder...>', 'the folders of other nodes of the same crawl')
    .option('--json', 'the report as JSON');
  addSettingOptions(command);
  command.action((flags: AuditFlags) => run(command, flags));
}

async function run(command: Command, { dir, also = [], json = false }: AuditFlags): Promise<void> {
  const { auditCrawl } = await import('../../crawl/audit/audit-crawl.ts');
  const { politenessNote } = await import('../../crawl/audit/politeness-note.ts');
  const { CrawlReader } = await import('../../crawl/report/crawl-reader.ts');
  const { formatCrawlAudit } = await import('../output/show-audit.ts');
  const { settings } = await settingsOf(command, dir);
  const given = givenSettings(command);
  using reader = new CrawlReader(dir);
  const note = politenessNote(settings);
  // A setting on the command line overrules what the archive files say of it; the others stay.
  const overrules = {
    ...Object.fromEntries(Object.entries(note).filter(([key]) => given[key] !== undefined)),
    ...(given.robotsAgent === undefined ? {} : { robotsNames: robotsAgentOf(settings) }),
  };
  const report = await auditCrawl({
    folders: [dir, ...also],
    agent: reader.agent,
    ...{ note, overrules },
    robots: settings.robots,
    ...(process.stderr.isTTY && !json
      ? { onProgress: (requests) => process.stderr.write(`\r${requests.toLocaleString('en')} requests read`) }
      : {}),
  });
  if (process.stderr.isTTY && !json) process.stderr.write('\r\x1b[K');
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : formatCrawlAudit(report));
  if (!report.passed) process.exitCode = 1;
}
