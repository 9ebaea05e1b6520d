import { cleanBody, dropNoise } from './body-cleaner.ts';
import { findBody } from './body-finder.ts';
import { type ContentSelection, selectedLength } from './content-selection.ts';
import type { ContentTree } from './content-tree.ts';
import { findHeadline, findLead } from './lead-finder.ts';
import { cleanLines } from './line-cleaner.ts';
import { textWorth } from './text-worth.ts';

export type Confidence = 'high' | 'medium' | 'low' | 'none';

export interface SelectedContent extends ContentSelection {
  /** Bytes of text. */
  readonly length: number;
  readonly confidence: Confidence;
  /** The headline that stands before the roots: no part of the text, but of the forms that have headings. */
  readonly headline?: number;
}

/** A text this short is no article: something may have gone wrong, and more is tried. */
const SHORT = 250;
const VERY_SHORT = 100;
const LONG = 1000;

/**
 * Finds the main content. Where little is left of the body after cleaning (lists of links, landing pages, forums), it is
 * cleaned less; where there is no body, the page without its navigation has to do.
 */
export function selectContent(tree: ContentTree, url: string): SelectedContent {
  const found = textWorth(tree);
  const body = findBody(tree, found);
  const roots = [...findLead(tree, found, body[0]), ...body];
  const dropped = cleanBody(tree, found, roots);
  cleanLines(tree, roots, dropped, url);
  let selection: ContentSelection = { roots, dropped };
  let length = selectedLength(tree, selection);
  if (length >= SHORT) {
    const headline = findHeadline(tree, found, body[0]);
    const isBefore = headline !== -1 && tree.end[headline] <= roots[0];
    const confidence = length >= LONG ? 'high' : 'medium';
    return { ...selection, length, confidence, ...(isBefore ? { headline } : {}) };
  }
  for (const attempt of [body, [0]]) {
    if (length >= (attempt === body ? SHORT : VERY_SHORT)) break;
    const more: ContentSelection = { roots: attempt, dropped: dropNoise(tree, found, attempt) };
    const moreLength = selectedLength(tree, more);
    if (moreLength < length * 2) continue;
    selection = more;
    length = moreLength;
  }
  return { ...selection, length, confidence: length === 0 ? 'none' : 'low' };
}
