import { execFile } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createAnalyzer } from '../../../src/index/analysis/analyzer.ts';
import { openIndexOf } from '../../../src/search/indexing/open-index.ts';

const LAUNCHER = fileURLToPath(new URL('../../../bin/orbweaver.cjs', import.meta.url));
const DIFFERENCES = 50;

export interface IndexVerdict {
  readonly documents: number;
  readonly queries: number;
  /** Documents and queries by which the index differs from one made anew of the same archive. */
  readonly differences: readonly string[];
}

/** Brings the index up to date, makes one anew in a copy, and compares documents and hits. */
export async function judgeIndex(folder: string, copy: string, queries: readonly string[]): Promise<IndexVerdict> {
  const orbweaver = (...args: string[]) => promisify(execFile)(process.execPath, [LAUNCHER, ...args]);
  await orbweaver('index', '--dir', folder, '--quiet');
  cpSync(folder, copy, { recursive: true });
  try {
    await orbweaver('index', '--rebuild', '--dir', copy, '--quiet');
    const own = await contentsOf(folder, queries);
    const rebuilt = await contentsOf(copy, queries);
    const differences: string[] = [];
    for (const key of new Set([...own.keys(), ...rebuilt.keys()])) {
      if (own.get(key) === rebuilt.get(key)) continue;
      const shown = (text: string | undefined): string => text?.slice(0, 300) ?? 'absent';
      differences.push(`${key}: ${shown(own.get(key))} | made anew: ${shown(rebuilt.get(key))}`);
    }
    const documents = [...own.keys()].filter((key) => key.startsWith('document ')).length;
    return { documents, queries: queries.length, differences: differences.slice(0, DIFFERENCES) };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Each document with title and lengths, each query with the documents that hold all its words. */
async function contentsOf(folder: string, queries: readonly string[]): Promise<Map<string, string>> {
  await using opened = await openIndexOf(folder);
  using snapshot = opened.index.snapshot();
  const analyzer = createAnalyzer();
  const most = Math.max(1, snapshot.documents);
  const contents = new Map<string, string>();
  for (const { document } of snapshot.top({ kind: 'all' }, most).top) {
    const { id, title, lengths } = snapshot.document(document);
    contents.set(`document ${id}`, `${title} ${lengths}`);
  }
  for (const query of queries) {
    const nodes = analyzer.analyzeQuery(query, undefined).map(({ terms }) => ({ kind: 'term' as const, terms }));
    const { top } = snapshot.top({ kind: 'and', nodes }, most);
    contents.set(`query ${query}`, String(top.map(({ document }) => snapshot.document(document).id).sort()));
  }
  return contents;
}
