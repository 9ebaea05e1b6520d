import type { TableWriter } from '../../../contracts/site-report.ts';
import { LAST_REDIRECT } from './report-columns.ts';

/** As many as browsers follow; a chain of that length is a loop. */
const MOST_REDIRECTS = 20;

/** How a URL stands that a redirect may lead to. */
export type End = 'page' | 'broken' | 'refused' | 'waiting';

/** A row with the URL that it names. */
export interface NamedUrl {
  readonly row: number;
  readonly url: string;
}

/** Follows every redirect to where it ends. `endOf`: how a row stands that is no redirect. */
export function followRedirects(
  table: TableWriter,
  redirects: readonly NamedUrl[],
  endOf: (row: number) => End | undefined,
): void {
  const targets = new Map(redirects.map(({ row, url }) => [row, table.rowOf(url)]));
  for (const { row } of redirects) {
    let last = row;
    let steps = 1;
    let to = targets.get(row);
    while (to !== undefined && targets.has(to) && to !== row && steps < MOST_REDIRECTS) {
      last = to;
      to = targets.get(to);
      steps++;
    }
    const isLoop = to !== undefined && targets.has(to);
    const end = isLoop ? 'loop' : to === undefined ? 'unknown' : (endOf(to) ?? 'unknown');
    table.set(row, 'redirects', steps);
    table.set(row, 'redirectEnd', end);
    if (!isLoop) table.set(row, LAST_REDIRECT, last);
    const status = isLoop || to === undefined ? undefined : table.get(to, 'status');
    if (status !== undefined) table.set(row, 'finalStatus', status);
    if (steps > 1 || isLoop || end === 'broken') table.flag(row, 'chains');
  }
}

/** Pages that say the same as others, over any number of steps, are one group. */
export function groupDuplicates(table: TableWriter, duplicates: readonly NamedUrl[]): void {
  const parents = new Map<number, number>();
  const rootOf = (row: number): number => {
    let root = row;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up;
    // What was walked once is walked no more.
    for (let at = row; at !== root; ) {
      const up = parents.get(at) ?? root;
      parents.set(at, root);
      at = up;
    }
    return root;
  };
  for (const { row, url } of duplicates) {
    const original = table.rowOf(url);
    if (original === undefined || original === row) continue;
    const [a, b] = [rootOf(row), rootOf(original)];
    parents.set(a, b);
    parents.set(b, b);
  }
  const sizes = new Map<number, number>();
  for (const row of parents.keys()) sizes.set(rootOf(row), (sizes.get(rootOf(row)) ?? 0) + 1);
  for (const row of parents.keys()) {
    table.set(row, 'duplicates', sizes.get(rootOf(row)) ?? 1);
    table.flag(row, 'duplicates');
  }
}

/** Counts rows that share a text, and marks them. */
export function markRepeated(
  table: TableWriter,
  text: string,
  count: string,
  flag: string,
  isCounted: (row: number) => boolean,
): void {
  for (const rows of table.sameTexts(text, isCounted)) {
    for (const row of rows) {
      table.set(row, count, rows.length);
      table.flag(row, flag);
    }
  }
}
