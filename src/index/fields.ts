import type { Field } from '../contracts/search-index.ts';

/** In the order of the index format. */
export const FIELDS: readonly Field[] = ['title', 'headings', 'body', 'anchors', 'url', 'description'];
