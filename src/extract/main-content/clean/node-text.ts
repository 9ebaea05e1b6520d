import { type ByteText, decodeBytes } from '../../byte-text.ts';
import { decodeReferences } from '../../character-references.ts';
import type { ContentTree } from '../content-tree.ts';
import { elementNumber, TEXT } from '../names/content-elements.ts';

const PLAINTEXT = elementNumber('plaintext');
const XMP = elementNumber('xmp');

/** The text of a text node as written, character references replaced. */
export function nodeText(tree: ContentTree, row: number): string {
  const text = decodeBytes(tree.html.slice(tree.from[row], tree.to[row]) as ByteText);
  return isLiteral(tree, row) ? text : decodeReferences(text, false);
}

/** Whether character references mean nothing in this text node. */
export function isLiteral(tree: ContentTree, row: number): boolean {
  const parent = tree.element[tree.parent[row]];
  return parent === XMP || parent === PLAINTEXT;
}

/** All text below a row as written, what is dropped left out. */
export function textBelow(tree: ContentTree, dropped: Uint8Array, from: number): string {
  let text = '';
  for (let row = from; row < tree.end[from]; ) {
    if (dropped[row] === 1) row = tree.end[row];
    else {
      if (tree.element[row] === TEXT) text += nodeText(tree, row);
      else if (tree.element[row] === BR) text += '\n';
      row++;
    }
  }
  return text;
}

const BR = elementNumber('br');
