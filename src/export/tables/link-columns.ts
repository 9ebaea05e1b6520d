import type { ExportLink } from '../../contracts/export.ts';
import { hostKeyOf } from '../../url/host-key.ts';
import type { TableColumn } from './table-column.ts';

export const LINK_COLUMNS: readonly TableColumn<ExportLink>[] = [
  { name: 'source', type: 'text', meaning: 'the page that holds the link', value: ({ source }) => source },
  { name: 'target', type: 'text', meaning: 'where it leads', value: ({ target }) => target },
  { name: 'anchor', type: 'text', meaning: 'its text', value: ({ text }) => text },
  { name: 'nofollow', type: 'flag', meaning: 'the page does not vouch for it', value: ({ nofollow }) => nofollow },
  { name: 'sourceHost', type: 'text', meaning: 'host of the page', value: ({ source }) => hostKeyOf(source) },
  { name: 'targetHost', type: 'text', meaning: 'host that it leads to', value: ({ target }) => hostKeyOf(target) },
  { name: 'seenAt', type: 'time', meaning: 'when the page was seen with it', value: ({ seenAt }) => seenAt },
];
