import type { ContentTree } from './content-tree.ts';
import { TEXT } from './names/content-elements.ts';

/** What of a tree is content: the roots without the dropped rows, and what is below those. */
export interface ContentSelection {
  /** In document order, none inside another unless dropped there. */
  readonly roots: readonly number[];
  /** 1 for each dropped row; what is below a dropped row needs no mark. */
  readonly dropped: Uint8Array;
}

export interface ContentVisitor {
  /** An element starts; with `false` nothing in it is visited, nor its end. */
  open(row: number, element: number): boolean;
  text(row: number): void;
  close(row: number, element: number): void;
}

/** Leads a visitor through the selection in document order. Every opened element is closed. */
export function visitContent(tree: ContentTree, selection: ContentSelection, visitor: ContentVisitor): void {
  for (const root of selection.roots) visitRows(tree, selection.dropped, root, tree.end[root], visitor);
}

/** The same for the rows from `from` to `to`, which must be whole subtrees. */
export function visitRows(
  tree: ContentTree,
  dropped: Uint8Array,
  from: number,
  to: number,
  visitor: ContentVisitor,
): void {
  const open: number[] = [];
  for (let row = from; row < to; ) {
    while (open.length > 0 && tree.end[open[open.length - 1]] <= row) close(tree, open, visitor);
    const element = tree.element[row];
    if (dropped[row] === 1) row = tree.end[row];
    else if (element === TEXT) visitor.text(row++);
    else if (visitor.open(row, element)) open.push(row++);
    else row = tree.end[row];
  }
  while (open.length > 0) close(tree, open, visitor);
}

function close(tree: ContentTree, open: number[], visitor: ContentVisitor): void {
  const row = open.pop() as number;
  visitor.close(row, tree.element[row]);
}

/** Bytes of text in the selection. */
export function selectedLength(tree: ContentTree, { roots, dropped }: ContentSelection): number {
  let length = 0;
  for (const root of roots) {
    for (let row = root; row < tree.end[root]; ) {
      if (dropped[row] === 1) row = tree.end[row];
      else {
        if (tree.element[row] === TEXT) length += tree.length[row];
        row++;
      }
    }
  }
  return length;
}
