import { OrbweaverError } from '../../base/errors.ts';
import type { ExportPage, ExportSource, StreamFrom } from '../../contracts/export.ts';
import type { Origin } from '../../contracts/url.ts';
import { hostKeyOf, originOf } from '../../url/host-key.ts';

/** All pages: those that are not listed do not count. */
export const ALL: StreamFrom = { cursor: '', rows: 0, limit: Number.POSITIVE_INFINITY };

/** Hosts that an error names. */
const NAMED = 5;

/** Whether a page is one to lead people to: an answer of its own, alive, and not kept out of search by its publisher. */
export function isListed({ outcome, facts, url }: ExportPage): boolean {
  const isOriginal = outcome?.kind === 'stored' || outcome?.kind === 'unchanged';
  const isCanonical = facts.canonical === undefined || facts.canonical === url;
  return isOriginal && isCanonical && facts.status === 200 && !facts.noindex && facts.usage?.search !== 'disallowed';
}

/** The site that the listed pages are of: the origin that most of them have. Refused where they are of several hosts. */
export async function singleSite(source: ExportSource, what: string): Promise<Origin | undefined> {
  const origins = new Map<Origin, number>();
  const hosts = new Set<string>();
  for await (const page of source.pages(ALL)) {
    if (!isListed(page)) continue;
    const origin = originOf(page.url);
    origins.set(origin, (origins.get(origin) ?? 0) + 1);
    hosts.add(hostKeyOf(page.url));
    if (hosts.size > NAMED) break;
  }
  if (hosts.size > 1) {
    const named = [...hosts].slice(0, NAMED).join(', ');
    throw new OrbweaverError(
      'USAGE',
      `${what} is about one site, but the pages are of several hosts: ${named}${hosts.size > NAMED ? ' …' : ''}.`,
      {
        remedy: 'Choose one with --host.',
      },
    );
  }
  return [...origins].sort(([, one], [, other]) => other - one)[0]?.[0];
}
