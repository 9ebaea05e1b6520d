import type { ExportLink, FolderFormat } from '../../contracts/export.ts';
import { changedMeanwhile, type NumberedNodes, numberNodes } from './graph-nodes.ts';

const GRAPH = 'graph.graph-txt';
const URLS = 'graph.urls';
const TOLD_EVERY = 1000;

interface WebgraphState {
  readonly nodes: number;
  /** Lines of successors that were written. */
  readonly lines: number;
}

/**
 * The link graph as WebGraph's ASCIIGraph reads it: the number of nodes, then the successors of each on a line, rising and each once.
 * The URL of node n is line n of graph.urls.
 */
export const webgraphFormat: FolderFormat = {
  ...{ target: 'folder', options: [], needsSameCrawl: true },
  async write(source, folder, { from, progress }) {
    const urls = from === undefined ? await folder.file(URLS) : undefined;
    const nodes = await numberNodes(source, async (url) => await urls?.write(`${url}\n`));
    await urls?.close();
    const before = from?.state as WebgraphState | undefined;
    if (before !== undefined && before.nodes !== nodes.count) throw changedMeanwhile();
    const graph = await folder.file(GRAPH);
    if (from === undefined) await graph.write(`${nodes.count}\n`);
    let lines = before?.lines ?? 0;
    let rows = from?.rows ?? 0;
    for await (const { page, successors, cursor } of pagesOf(source.links(from && { ...from, rows: 0 }), nodes)) {
      if (page !== lines) throw changedMeanwhile();
      await graph.write(`${successors.join(' ')}\n`);
      lines++;
      rows += successors.length;
      if (lines % TOLD_EVERY === 0) progress(rows);
      if (folder.isDue) await folder.checkpoint({ cursor, rows, state: { nodes: nodes.count, lines } });
    }
    // Those that are linked to, and hold no links.
    for (; lines < nodes.count; lines++) await graph.write('\n');
    await graph.close();
    progress(rows);
    return { rows };
  },
  unfit: () => ({ limit: 'the successors of a page are one line, and a part of them would be another graph.' }),
};

interface NodeSuccessors {
  readonly page: number;
  readonly successors: readonly number[];
  /** Of the last of its links. */
  readonly cursor: string;
}

/** The links of a page come one after the other. */
async function* pagesOf(links: AsyncIterable<ExportLink>, nodes: NumberedNodes): AsyncGenerator<NodeSuccessors> {
  let page: number | undefined;
  let cursor = '';
  let successors = new Set<number>();
  for await (const link of links) {
    const number = nodes.numberOf(link.source);
    if (page !== undefined && number !== page) {
      yield { page, successors: rising(successors), cursor };
      successors = new Set();
    }
    page = number;
    cursor = link.cursor;
    successors.add(nodes.numberOf(link.target));
  }
  if (page !== undefined) yield { page, successors: rising(successors), cursor };
}

function rising(numbers: ReadonlySet<number>): readonly number[] {
  return [...numbers].sort((one, other) => one - other);
}
