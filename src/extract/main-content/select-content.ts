import { findBody } from './body-finder.ts';
import { cleanBody, dropNoise } from './clean/body-cleaner.ts';
import { dropBanners, frameRows, keptLengths } from './clean/document-cleaner.ts';
import { cleanLines } from './clean/line-cleaner.ts';
import { type ContentSelection, selectedLength } from './content-selection.ts';
import type { ContentTree } from './content-tree.ts';
import { findDocument, findHeadlineTable, findOpening } from './document-finder.ts';
import { findHeadline, findLead } from './lead-finder.ts';
import { isDocument } from './page-kind.ts';
import { type TextWorth, textWorth } from './text-worth.ts';

export type Confidence = 'high' | 'medium' | 'low' | 'none';

export interface SelectedContent extends ContentSelection {
  /** Bytes of text. */
  readonly length: number;
  readonly confidence: Confidence;
  readonly kind: 'article' | 'document';
  /** The headline that stands before the text: no part of the text, but of the forms that have headings. */
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
  if (tree.kind === 'article') return selectArticle(tree, textWorth(tree), url);
  const dropped = frameRows(tree);
  const kept = keptLengths(tree, dropped);
  const root = findDocument(tree, kept);
  const isEmpty = kept[root] === 0;
  // Where the page says what it is, nobody asks for its prose.
  if (tree.kind !== 'none' && !isEmpty) return selectDocument(tree, root, dropped);
  const found = textWorth(tree);
  if (isEmpty || !isDocument(tree, root, kept, found.worth)) {
    const article = selectArticle(tree, found, url);
    // A page that does not say to be an article, and has none to show, is all that it holds.
    if (article.confidence !== 'low' || isEmpty) return article;
  }
  return selectDocument(tree, root, dropped);
}

/** All that is not the frame of the site. */
function selectDocument(tree: ContentTree, root: number, dropped: Uint8Array): SelectedContent {
  const headline = root === 0 ? placedHeadline(tree, dropped) : undefined;
  const opening = findOpening(tree, root, dropped);
  const selection: ContentSelection = { roots: opening === -1 ? [root] : [opening, root], dropped };
  const length = selectedLength(tree, selection);
  const confidence = length >= LONG ? 'high' : length >= SHORT ? 'medium' : length > 0 ? 'low' : 'none';
  return { ...selection, length, confidence, kind: 'document', ...(headline === undefined ? {} : { headline }) };
}

/** Marks the banners of the site, and the table in which the headline stands apart from the text. */
function placedHeadline(tree: ContentTree, dropped: Uint8Array): number | undefined {
  const headline = dropBanners(tree, dropped);
  const table = headline === -1 ? -1 : findHeadlineTable(tree, headline, keptLengths(tree, dropped));
  if (table === -1) return undefined;
  dropped[table] = 1;
  return headline;
}

function selectArticle(tree: ContentTree, found: TextWorth, url: string): SelectedContent {
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
    return { ...selection, length, confidence, kind: 'article', ...(isBefore ? { headline } : {}) };
  }
  for (const attempt of [body, [0]]) {
    if (length >= (attempt === body ? SHORT : VERY_SHORT)) break;
    const more: ContentSelection = { roots: attempt, dropped: dropNoise(tree, found, attempt) };
    const moreLength = selectedLength(tree, more);
    if (moreLength < length * 2) continue;
    selection = more;
    length = moreLength;
  }
  return { ...selection, length, confidence: length === 0 ? 'none' : 'low', kind: 'article' };
}
