import { createHash } from 'node:crypto';
import type { LoggedChange } from '../../contracts/change-log.ts';
import { type ChangeKind, changeReport } from '../../crawl/notify/change-report.ts';
import { type Html, html } from '../frame/html.ts';
import { outerLink, ownLink } from '../frame/links.ts';
import { isoTime } from '../frame/written-date.ts';

export interface FeedOfChanges {
  /** Name of the collection. */
  readonly name: string;
  /** Oldest first, as the log has them. */
  readonly changes: readonly LoggedChange[];
  /** The feed is of these alone; all where empty. */
  readonly kinds: readonly ChangeKind[];
  /** Where the feed is served; absent for one that is written to a file. */
  readonly origin?: string;
}

const SAID: Readonly<Record<ChangeKind, string>> = {
  new: 'New',
  changed: 'Changed',
  moved: 'Moved',
  gone: 'Gone',
  back: 'Back',
};

/** Changes as an Atom feed (RFC 4287), newest first. An entry keeps its id wherever and however often the feed is made. */
export function changesFeed({ name, changes, kinds, origin }: FeedOfChanges): Html {
  const only = kinds.length === 0 ? undefined : kinds.join(',');
  const updated = changes.reduce((latest, { at }) => Math.max(latest, at), 0);
  return html`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${idOf('changes', name, only ?? '')}</id>
<title>${only === undefined ? 'Changes' : `Changes (${only})`} · ${name}</title>
<updated>${isoTime(updated)}</updated>
<author><name>Orbweaver</name></author>
${
  origin !== undefined &&
  html`<link rel="self" type="application/atom+xml" href="${origin + ownLink('/changes.atom', { kind: only })}"/>
<link rel="alternate" type="text/html" href="${origin + ownLink('/changes', { kind: only })}"/>
`
}${changes.toReversed().map((change) => entry(change, origin))}</feed>
`;
}

function entry(logged: LoggedChange, origin: string | undefined): Html {
  const { number, url, at, change, title } = logged;
  const link = outerLink(change.kind === 'moved' ? change.to : url);
  return html`<entry>
<id>${idOf('change', String(number), String(at), url)}</id>
<title>${SAID[change.kind]}: ${title?.trim() || url}</title>
<updated>${isoTime(at)}</updated>
${link !== undefined && html`<link rel="alternate" href="${link}"/>`}
${origin !== undefined && change.kind === 'changed' && html`<link rel="related" type="text/html" title="What changed" href="${origin + ownLink('/diff', { url, to: isoTime(at) })}"/>`}
<category term="${change.kind}"/>
<summary>${summaryOf(logged)}</summary>
</entry>
`;
}

function summaryOf(logged: LoggedChange): string {
  const { url, kind, status, to } = changeReport(logged);
  switch (kind) {
    case 'new':
      return `${url} was found.`;
    case 'changed':
      return `The text of ${url} has changed.`;
    case 'moved':
      return `${url} has moved to ${to}.`;
    case 'gone':
      return `${url} is gone (HTTP ${status}).`;
    case 'back':
      return `${url} was gone and is back.`;
  }
}

/** A UUID made of what it names (version 8, RFC 9562): the same each time, without a register. */
function idOf(...parts: readonly string[]): string {
  const bytes = createHash('sha256')
    .update(['orbweaver', ...parts].join('\n'))
    .digest()
    .subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x80;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = bytes.toString('hex');
  return `urn:uuid:${[digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join('-')}`;
}
