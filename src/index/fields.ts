import type { Field } from '../contracts/search-index.ts';

/** In the order of the index format. Anchors come last: they change while the document stays, and nothing behind them has to move. */
export const FIELDS: readonly Field[] = ['title', 'headings', 'body', 'url', 'description', 'anchors'];
