import type { Command } from 'commander';
import { addSettingOptions } from '../../arguments/setting-options.ts';
import type { NodeFlags } from './run-node.ts';

/** The commands of a crawl that several nodes share; experimental. */
export function addNodeCommands(program: Command, version: string): void {
  const node = program
    .command('node')
    .description('Take part, as a node, in a crawl whose state is in a database (experimental).')
    .option('--folder <folder>', "what is this node's own: archive, what it has learnt", 'my-node')
    .option('--search-only', 'do not crawl: answer searches of other machines at --search-address, until Ctrl-C')
    .option('--json', 'print one JSON object at the end, nothing else')
    .option('--quiet', 'no progress')
    .addHelpText('after', NODE_EXAMPLES);
  addSettingOptions(node);
  node.action(async (flags: NodeFlags) => {
    const { runNode } = await import('./run-node.ts');
    await runNode(node, flags, version);
  });

  const cluster = program
    .command('cluster')
    .description('The nodes of a crawl in a database: partitions, load, messages, takeovers (experimental).')
    .option('--store <url>', 'the database; else that of ORBWEAVER_STORE')
    .option('--json', 'one JSON object')
    .action(async (flags: { store?: string; json?: boolean }) => {
      const { showCluster } = await import('../../output/show-cluster.ts');
      await showCluster(flags.store, flags.json === true);
    });
  cluster
    .command('drain')
    .description('Ask a node to hand over its partitions and end.')
    .argument('<node>', 'its name, as "orbweaver cluster" shows it')
    .action(async (name: string) => {
      const { drainNode } = await import('../../output/show-cluster.ts');
      await drainNode((cluster.opts() as { store?: string }).store, name);
    });
}

const NODE_EXAMPLES = `
Examples:
  orbweaver crawl https://example.org/ --store postgres://db/crawls --partitions 64    begins a crawl and is its first node
  orbweaver node --store postgres://db/crawls --folder node-2                          on another machine, or for another core
  orbweaver cluster --store postgres://db/crawls                                       who does what
  orbweaver cluster drain NODE --store postgres://db/crawls                            lets a node hand over and end

Exit status: 0 the crawl is over, or the node was stopped or drained and has handed over; others as with crawl.
`;
