import type { LoggedChange } from '../../contracts/change-log.ts';
import type { PageChange } from '../../contracts/revisit.ts';

export type ChangeKind = PageChange['kind'];

/** In the order in which they are told. */
export const CHANGE_KINDS: readonly ChangeKind[] = ['new', 'changed', 'moved', 'gone', 'back'];

/** A change as JSON tells of it, wherever it is told: on the command line, on the web, to webhooks. */
export interface ChangeReport {
  /** Grows with every change of the crawl: where a reader goes on. */
  readonly number: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly kind: ChangeKind;
  readonly url: string;
  /** Of a page that is gone: the answer. */
  readonly status?: number;
  /** Of a page that has moved: where to. */
  readonly to?: string;
  readonly title?: string;
}

export function changeReport({ number, at, url, change, title }: LoggedChange): ChangeReport {
  return {
    number,
    at: new Date(at).toISOString(),
    kind: change.kind,
    url,
    ...(change.kind === 'gone' ? { status: change.status } : {}),
    ...(change.kind === 'moved' ? { to: change.to } : {}),
    ...(title === undefined ? {} : { title }),
  };
}
