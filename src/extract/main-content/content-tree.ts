import type { ByteText } from '../byte-text.ts';
import type { RowTexts } from './row-texts.ts';
import type { StatedKind } from './stated-kind.ts';

/**
 * A document as columns: node n is row n, in document order, so that the subtree of n is the rows from n to end[n].
 * Row 0 is the body. Columns are numbers in memory that a later tree may take over, once this one is given back. Invariants: parent[n] < n < end[n] <= end[parent[n]] for each n > 0; only elements have children.
 */
export interface ContentTree {
  readonly html: ByteText;
  /** The same as numbers. */
  readonly bytes: Uint8Array;
  /** Numbers of content-elements.ts; 0 for text. */
  readonly element: Int32Array;
  readonly parent: Int32Array;
  readonly end: Int32Array;
  /** Of text: where it lies in the document. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Bytes of text with white space collapsed: of the text itself, or of all in the element. */
  readonly length: Int32Array;
  /** Those of them that are in links. */
  readonly linked: Int32Array;
  /** What class, id, role and their like say (name-hints.ts). */
  readonly hints: Int32Array;
  /** Equal for elements of equal class; 0 where there is none. */
  readonly name: Int32Array;
  /** Of text: its run; -1 for elements. */
  readonly run: Int32Array;
  readonly runs: TextRuns;
  /** References of links and images by row. */
  readonly references: RowTexts;
  /** Alternative texts of images by row. */
  readonly alternatives: ReadonlyMap<number, string>;
  /** Of the document, white space collapsed. */
  readonly title: string;
  readonly base: string | undefined;
  /** The texts that JSON-LD names as the body of an article. */
  readonly statedBodies: readonly string[];
  /** What META tags, JSON-LD and names say the page is. */
  readonly kind: StatedKind;
}

/** Text without a line break inside, also as columns. */
export interface TextRuns {
  /** The nearest element around it that breaks lines. */
  readonly holder: Int32Array;
  readonly length: Int32Array;
  readonly linked: Int32Array;
  /** Row of its first text. */
  readonly first: Int32Array;
}
