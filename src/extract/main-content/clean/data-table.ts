import type { ContentTree } from '../content-tree.ts';
import { elementNumber } from '../names/content-elements.ts';

const P = elementNumber('p');
const TABLE = elementNumber('table');
const TD = elementNumber('td');
const TH = elementNumber('th');
const TR = elementNumber('tr');
const LONGEST_CELL = 600;

/** Whether a table holds data; many only place blocks side by side, and their cells are texts of their own. */
export function isDataTable(tree: ContentTree, table: number): boolean {
  let rows = 0;
  let cells = 0;
  let paragraphs = 0;
  for (let row = table + 1; row < tree.end[table]; row++) {
    const element = tree.element[row];
    if (element === TABLE) return false;
    if (element === TR) rows++;
    else if (element === P) paragraphs++;
    else if (element === TD || element === TH) {
      cells++;
      if (tree.length[row] > LONGEST_CELL) return false;
    }
  }
  return rows >= 2 && cells >= rows * 2 && paragraphs <= cells * 2;
}

/** Rows of the cells of each row of a data table. */
export function tableCells(tree: ContentTree, dropped: Uint8Array, table: number): number[][] {
  const cells: number[][] = [];
  for (let row = table + 1; row < tree.end[table]; ) {
    const element = tree.element[row];
    if (dropped[row] === 1) row = tree.end[row];
    else if (element === TD || element === TH) {
      if (cells.length === 0) cells.push([]);
      cells[cells.length - 1].push(row);
      row = tree.end[row];
    } else {
      if (element === TR) cells.push([]);
      row++;
    }
  }
  return cells.filter((line) => line.length > 0);
}
