import type { ContentSelection } from '../content-selection.ts';
import type { ContentTree } from '../content-tree.ts';
import { elementNumber } from '../names/content-elements.ts';
import { plainText } from './plain-text.ts';

const A = elementNumber('a');

/** The text of the selection without its links: what the page says itself, whatever it leads to. */
export function unlinkedText(tree: ContentTree, { roots, dropped }: ContentSelection): string {
  const left = dropped.slice();
  for (const row of tree.references.rows) if (tree.element[row] === A) left[row] = 1;
  return plainText(tree, { roots, dropped: left });
}
