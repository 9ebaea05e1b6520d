import { isDataTable } from './clean/data-table.ts';
import type { ContentTree } from './content-tree.ts';
import { ElementSet, elementNumber, flagsOf, HEADING, TEXT } from './names/content-elements.ts';

/** Elements in which manuals say what they define, show or compare. */
const TECHNICAL = new ElementSet('pre dt code tt kbd samp var');
const TABLE = elementNumber('table');
/** Articles without any statement reach 0.02 on the whole, and never have less prose than 0.57. */
const MUCH_TECHNICAL = 0.05;
const LITTLE_PROSE = 0.56;
const NUMBER_SIGN = 0x23;

/**
 * Whether the content is all that the page holds besides the frame of its site, rather than the body of an article. A page
 * that does not say is judged by what `root` is made of: definitions, tables and programs, or much that is no prose.
 */
export function isDocument(tree: ContentTree, root: number, kept: Float64Array, worth: Float64Array): boolean {
  return (
    worth[root] < kept[root] * LITTLE_PROSE ||
    technicalLength(tree, root, kept) > kept[root] * MUCH_TECHNICAL ||
    hasPermalinks(tree)
  );
}

function technicalLength(tree: ContentTree, root: number, kept: Float64Array): number {
  let length = 0;
  for (let row = root; row < tree.end[root]; ) {
    const element = tree.element[row];
    if (kept[row] > 0 && (TECHNICAL.has(element) || (element === TABLE && isDataTable(tree, row)))) {
      length += kept[row];
      row = tree.end[row];
    } else row++;
  }
  return length;
}

/** Headings that lead to themselves, so that readers can point to sections. */
function hasPermalinks(tree: ContentTree): boolean {
  for (const row of tree.references.rows) {
    const reference = tree.references.get(row) ?? '';
    if (reference.charCodeAt(0) !== NUMBER_SIGN || reference.length < 2) continue;
    const parent = tree.parent[row];
    if ((flagsOf(tree.element[parent]) & HEADING) !== 0 && tree.element[row] !== TEXT) return true;
  }
  return false;
}
