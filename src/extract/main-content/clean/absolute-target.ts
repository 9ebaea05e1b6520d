import type { ContentTree } from '../content-tree.ts';

/** Makes a reference of the page absolute; undefined where it cannot be resolved. */
export type Resolve = (reference: string) => string | undefined;

const WRITTEN = /^(?:https?|mailto|ftp):/i;

/** Where a link or an image leads, where that is a place one can go to: scripts and data are none. */
export function absoluteTarget(tree: ContentTree, row: number, resolve: Resolve): string | undefined {
  const reference = tree.references.get(row);
  const target = reference === undefined ? undefined : resolve(reference.trim());
  return target !== undefined && WRITTEN.test(target) ? target : undefined;
}
