import { OrbweaverError } from '../../base/errors.ts';
import { REPORT_COLUMNS } from '../../crawl/report/site/report-columns.ts';
import { readFilter } from '../../crawl/report/site/report-filter.ts';
import { DEFAULT_VIEW } from '../../crawl/report/site/report-views.ts';
import { type ReportQuery, readQuery } from '../../crawl/report/site/site-report.ts';
import { BadRequest, numberOf, type WebRequest } from '../http/web-request.ts';

/** What was asked for, as the links of a page say it again. */
export interface ReportRequest {
  readonly query: ReportQuery;
  /** As they were typed. */
  readonly filters: readonly string[];
  /** Absent where it is that of the view. */
  readonly sort?: string;
  readonly columns?: readonly string[];
  readonly after?: string;
  readonly before?: string;
  readonly limit: number;
  /** A row for each link; of exports. */
  readonly perLink: boolean;
  /** It came from a form: the same in fewer parameters. */
  readonly isForm: boolean;
}

const ON_A_PAGE = 100;
const MOST_ON_A_PAGE = 500;
const MOST_FILTERS = 10;

export function reportRequest(ask: WebRequest): ReportRequest {
  const { parameters } = ask;
  const text = (name: string): string | undefined => parameters.get(name) || undefined;
  const added = addedFilter(parameters);
  const filters = [...parameters.getAll('filter').filter((one) => one.trim() !== ''), ...added];
  if (filters.length > MOST_FILTERS) throw new BadRequest(`A report takes at most ${MOST_FILTERS} filters.`);
  const sort = text('sort');
  const columns = [...parameters.getAll('column'), ...(text('columns') ?? '').split(',')].filter((name) => name !== '');
  const [after, before] = [text('after'), text('before')];
  if (after !== undefined && before !== undefined) throw new BadRequest('"after" and "before" exclude each other.');
  return {
    query: unlessWrong(() =>
      readQuery({
        view: text('view') ?? DEFAULT_VIEW,
        filters: filters.map(readFilter),
        ...(sort === undefined ? {} : { sort }),
        // In the order of the report, whatever the order in which they were chosen.
        columns: columns.includes('all')
          ? REPORT_COLUMNS.map(({ name }) => name)
          : [
              ...columns.filter((name) => !isColumn(name)),
              ...REPORT_COLUMNS.map(({ name }) => name).filter((name) => columns.includes(name)),
            ],
      }),
    ),
    ...{
      filters,
      limit: numberOf(ask, 'limit', 1, MOST_ON_A_PAGE, ON_A_PAGE),
      perLink: parameters.get('per') === 'link',
    },
    ...(sort === undefined ? {} : { sort }),
    ...(columns.length === 0 ? {} : { columns }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    isForm: added.length > 0 || parameters.has('column') || parameters.has('fv'),
  };
}

function isColumn(name: string): boolean {
  return REPORT_COLUMNS.some((column) => column.name === name);
}

/** A filter as the form sends it: column, sign, value. Nothing where the value is empty and the sign asks for one. */
function addedFilter(parameters: URLSearchParams): string[] {
  const [column, sign, value] = ['fc', 'fo', 'fv'].map((name) => parameters.get(name)?.trim() ?? '');
  if (column === '' || sign === '') return [];
  if (sign === 'none') return [`${column}=`];
  if (sign === 'some') return [`${column}!=`];
  return value === '' ? [] : [`${column}${sign}${value}`];
}

/** What a report is asked in vain is the reader's mistake, and told with its remedy. */
export function unlessWrong<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asBadRequest(error);
  }
}

export function asBadRequest(error: unknown): unknown {
  if (!(error instanceof OrbweaverError && error.code === 'USAGE')) return error;
  return new BadRequest(error.remedy === undefined ? error.message : `${error.message} ${error.remedy}`);
}

/** The address of a report that is asked for like this one, but for what is given; undefined leaves a parameter out. */
export function reportLink(
  request: ReportRequest,
  change: {
    readonly path?: string;
    readonly view?: string;
    readonly sort?: string | undefined;
    readonly filters?: readonly string[];
    readonly after?: string;
    readonly before?: string;
    readonly per?: 'link';
  } = {},
): string {
  const { query, filters, columns, limit } = request;
  const { path = '/report', view = query.view.name, per, after, before } = change;
  const parameters = new URLSearchParams();
  const set = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') parameters.append(name, value);
  };
  set('view', view);
  for (const filter of change.filters ?? filters) set('filter', filter);
  // Another view has its own sort and columns.
  if (view === query.view.name) {
    set('sort', 'sort' in change ? change.sort : request.sort);
    set('columns', columns?.join(','));
  }
  if (limit !== ON_A_PAGE) set('limit', String(limit));
  set('per', per);
  set('after', after);
  set('before', before);
  return `${path}?${parameters}`;
}
