import type { Command } from 'commander';
import { addSettingOptions } from '../../arguments/setting-options.ts';
import type { ImportWarcFlags } from './run-import-warc.ts';

const EXAMPLES = `
Examples:
  orbweaver import warc crawl.warc.gz                     one file, into my-import/
  orbweaver import warc ./collections --dir old-web       every archive in a folder and below it
  orbweaver import warc 'CC-MAIN-*.warc.gz' --max-pages 10000
Then: orbweaver search QUERY --dir my-import, get, status, explain, report, changes, serve.
The same command goes on where it was stopped or killed; what is there already does not come twice.

Exit status: 0 done, or paused at a limit; 2 wrong settings, or no such file; 3 the folder cannot be used; 4 the disk;
5 no page was found; 130 stopped by Ctrl-C.`;

/** `orbweaver import warc`: the pages of foreign archives, as a crawl folder. */
export function addImportWarc(imports: Command, version: string): void {
  const command = imports
    .command('warc')
    .description('Make a crawl folder of WARC, ARC and WACZ files, whoever has written them, without asking the web.')
    .argument('<files...>', 'files, folders or patterns: .warc, .arc, plain, .gz or .zst; .wacz')
    .option('--dir <folder>', 'the crawl folder', 'my-import')
    .option('--json', 'print one JSON object at the end, nothing else')
    .option('--quiet', 'no progress')
    .addHelpText('after', EXAMPLES);
  addSettingOptions(command);
  command.action(async (files: string[], flags: ImportWarcFlags) => {
    const { runImportWarc } = await import('./run-import-warc.ts');
    await runImportWarc(command, files, flags, version);
  });
}
