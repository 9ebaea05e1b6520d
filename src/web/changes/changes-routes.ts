import type { ChangeLog, ChangeQuery } from '../../contracts/change-log.ts';
import { CHANGE_KINDS, type ChangeKind, changeReport } from '../../crawl/notify/change-report.ts';
import { pageFrame } from '../frame/page-frame.ts';
import { jsonReply, pageReply, type Reply, xmlReply } from '../http/reply.ts';
import { BadRequest, numberOf, timeOf, type WebRequest } from '../http/web-request.ts';
import { changesFeed } from './changes-feed.ts';
import { changesView } from './changes-view.ts';

const ON_A_PAGE = 100;
const IN_A_FEED = 100;
const IN_JSON = 1000;
const MOST = 10_000;

/** What has happened to pages: as a page, a feed and JSON. */
export class ChangesRoutes {
  readonly #log: ChangeLog;
  readonly #name: string;

  constructor(log: ChangeLog, name: string) {
    this.#log = log;
    this.#name = name;
  }

  page(ask: WebRequest): Reply {
    const query = queryOf(ask);
    // One more than is shown tells whether there are older ones.
    const found = [...this.#log.changes({ ...query, limit: ON_A_PAGE + 1, last: true })];
    const changes = found.slice(-ON_A_PAGE);
    const kinds = query.kinds ?? [];
    const content = changesView({
      changes,
      kinds,
      ...(found.length > ON_A_PAGE ? { older: changes[0].number } : {}),
    });
    const feed = `/changes.atom${kinds.length === 0 ? '' : `?kind=${kinds.join(',')}`}`;
    const title = `What has changed · ${this.#name}`;
    return pageReply(
      pageFrame({ title, name: this.#name, content, feed, feedType: 'application/atom+xml', section: 'changes' }),
    );
  }

  feed(ask: WebRequest): Reply {
    const query = queryOf(ask);
    const limit = numberOf(ask, 'limit', 1, MOST, IN_A_FEED);
    const changes = [...this.#log.changes({ ...query, limit, last: true })];
    const feed = changesFeed({ name: this.#name, changes, kinds: query.kinds ?? [], origin: ask.origin });
    return xmlReply(feed, 'application/atom+xml');
  }

  /** With `after` or `since` the first that fit, to be read on from `next`; with neither the newest. */
  json(ask: WebRequest): Reply {
    const query = queryOf(ask);
    const limit = numberOf(ask, 'limit', 1, MOST, IN_JSON);
    const last = query.after === undefined && query.since === undefined;
    // Looked up before the changes are: none that comes meanwhile is passed over.
    const end = query.after ?? this.#endFor(query);
    const changes = [...this.#log.changes({ ...query, limit, last })];
    return jsonReply({ changes: changes.map(changeReport), next: changes.at(-1)?.number ?? end });
  }

  /** Where to read on when nothing fits: the last change that could have. */
  #endFor({ until, before }: ChangeQuery): number {
    const bounds = { ...(until === undefined ? {} : { until }), ...(before === undefined ? {} : { before }) };
    const [newest] = this.#log.changes({ ...bounds, limit: 1, last: true });
    return newest?.number ?? 0;
  }
}

function queryOf(ask: WebRequest): ChangeQuery {
  const since = timeOf(ask, 'since');
  const until = timeOf(ask, 'until');
  const after = placeOf(ask, 'after');
  const before = placeOf(ask, 'before');
  const kinds = kindsOf(ask);
  return {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(after === undefined ? {} : { after }),
    ...(before === undefined ? {} : { before }),
    ...(kinds.length === 0 ? {} : { kinds }),
  };
}

/** Number of a change. */
function placeOf({ parameters }: WebRequest, name: string): number | undefined {
  const text = parameters.get(name) ?? '';
  if (text === '') return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new BadRequest(`"${name}" takes the number of a change.`);
  return Number(text);
}

function kindsOf({ parameters }: WebRequest): ChangeKind[] {
  const asked = parameters
    .getAll('kind')
    .flatMap((text) => text.split(','))
    .filter((kind) => kind !== '');
  const kinds = CHANGE_KINDS.filter((kind) => asked.includes(kind));
  if (asked.every((kind) => kinds.includes(kind as ChangeKind))) return kinds;
  throw new BadRequest(`"kind" takes ${CHANGE_KINDS.join(', ')}; several are separated by commas.`);
}
