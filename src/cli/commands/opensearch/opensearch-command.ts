import type { Command } from 'commander';
import { askedStore } from '../../arguments/asked-crawl.ts';
import type { OpenSearchFlags } from './asked-index.ts';

/** `orbweaver opensearch`: what a crawl has stored, sent to an index of an OpenSearch or Elasticsearch server. */
export function addOpenSearchCommand(program: Command): void {
  program
    .command('opensearch')
    .description(
      'Send what a crawl has stored to an OpenSearch or Elasticsearch index. A running crawl does so by itself.',
    )
    .option('--dir <folder>', 'the crawl folder', 'my-crawl')
    .option('--store <url>', 'the database of a crawl of several nodes: the documents of those on this machine')
    .option(
      '--opensearch <url>',
      'the index, such as https://search.example.org:9200/pages; else that of the settings, or of the last run',
    )
    .option('--again', 'send everything, whatever was sent before')
    .option('--watch', 'go on with what is crawled meanwhile, until Ctrl-C')
    .option('--json', 'print one JSON object at the end, nothing else')
    .option('--quiet', 'no progress')
    .addHelpText('after', HELP)
    .action(async (flags: OpenSearchFlags) => {
      const { runOpenSearch } = await import('./run-opensearch.ts');
      await runOpenSearch(flags, (await askedStore(flags)).store);
    });
}

const HELP = `
ORBWEAVER_OPENSEARCH_KEY holds an API key; or ORBWEAVER_OPENSEARCH_USER and ORBWEAVER_OPENSEARCH_PASSWORD a user.

Exit status: 0 done; 2 wrong settings; 3 the folder cannot be used; 4 the server cannot be reached, or refuses.`;
