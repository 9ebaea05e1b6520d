import type { ExportUrl } from '../../contracts/export.ts';
import type { TableRow } from '../../contracts/site-report.ts';
import { outcomeDetail } from '../../crawl/report/outcome-detail.ts';
import { reportRow } from '../../crawl/report/site/report-row.ts';
import { type StatedColumn, stated } from './stated-columns.ts';
import type { TableColumn } from './table-column.ts';

export interface UrlRow {
  readonly known: ExportUrl;
  readonly stated: TableRow;
}

export function urlRow(known: ExportUrl): UrlRow {
  return { known, stated: reportRow(known) };
}

const STATED: readonly StatedColumn[] = [
  ...(['url', 'host', 'outcome', 'detail', 'status', 'title', 'language', 'mediaType', 'bytes', 'depth'] as const),
  ...(['foundBy', 'foundAt', 'visitedAt', 'nextVisit', 'redirectsTo', 'duplicateOf'] as const),
];

/** Every known URL. */
export const URL_COLUMNS: readonly TableColumn<UrlRow>[] = [
  ...STATED.map((name) => stated<UrlRow>(name, (row) => row.stated)),
  {
    ...{ name: 'held', type: 'flag', meaning: 'whether a copy is held' },
    value: ({ known }) => known.held === true,
  },
];

/** What was decided about URLs, by which rule. */
export const DECISION_COLUMNS: readonly TableColumn<UrlRow>[] = [
  stated('url', (row) => row.stated),
  stated('host', (row) => row.stated),
  {
    ...{
      name: 'decision',
      type: 'text',
      meaning: 'stored, unchanged, duplicate, redirected, refused, gone, failed or deferred',
    },
    value: ({ known }) => known.outcome?.kind,
  },
  {
    ...{ name: 'by', type: 'text', meaning: 'of a refusal: who says no, such as robots, scope or trap' },
    value: ({ known: { outcome } }) => (outcome?.kind === 'refused' ? outcome.by : undefined),
  },
  {
    ...{
      name: 'rule',
      type: 'text',
      meaning: 'the rule of a refusal, the code of a failure, the target of a redirect',
    },
    value: ({ known: { outcome } }) => outcome && ruleOf(outcome),
  },
  {
    ...{ name: 'requested', type: 'flag', meaning: 'false: a link that was refused before anybody asked for it' },
    value: ({ known }) => known.state === 'visited',
  },
  {
    ...{ name: 'decidedAt', type: 'time', meaning: 'when the visit ended, or the link was refused' },
    value: ({ known }) => known.visitedAt ?? known.foundAt,
  },
  ...(['status', 'depth', 'foundBy', 'foundAt'] as const).map((name) => stated<UrlRow>(name, (row) => row.stated)),
];

function ruleOf(outcome: NonNullable<ExportUrl['outcome']>): string | undefined {
  if (outcome.kind === 'refused') return outcome.rule;
  if (outcome.kind === 'redirected') return outcome.to;
  if (outcome.kind === 'duplicate') return outcome.of;
  return outcomeDetail(outcome);
}
