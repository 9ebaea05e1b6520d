import { systemClock } from '../../../base/clock.ts';
import { OrbweaverError } from '../../../base/errors.ts';
import type { ExportFilter, UsageKind } from '../../../contracts/export.ts';
import { USAGE_KINDS } from '../../../export/source/filter-match.ts';
import { askedHost } from '../../arguments/asked-host.ts';
import { askedTime } from '../../arguments/asked-time.ts';
import { wholeNumber } from '../../arguments/whole-number.ts';

/** The flags of `export` that say which part of a crawl is wanted. */
export interface FilterFlags {
  readonly host: readonly string[];
  readonly from?: string;
  readonly to?: string;
  readonly language?: string;
  readonly type?: string;
  readonly query?: string;
  readonly usage?: string;
  readonly limit?: string;
}

export function askedFilter(flags: FilterFlags): ExportFilter {
  const { host, from, to, language, type, query, usage, limit } = flags;
  const now = systemClock.now();
  const filter: ExportFilter = {
    ...(host.length === 0 ? {} : { hosts: given('--host', host).map(askedHost) }),
    ...(from === undefined ? {} : { from: askedTime('--from', from, now) }),
    ...(to === undefined ? {} : { to: askedTime('--to', to, now) }),
    ...(language === undefined ? {} : { languages: given('--language', words(language)).map(askedLanguage) }),
    ...(type === undefined ? {} : { mediaTypes: given('--type', words(type)).map(askedType) }),
    ...(query === undefined ? {} : { query: askedQuery(query) }),
    ...(usage === undefined ? {} : { usage: askedUsage(usage) }),
    ...(limit === undefined ? {} : { limit: wholeNumber('--limit', limit, 1, 1_000_000_000_000) }),
  };
  if (filter.from !== undefined && filter.to !== undefined && filter.from >= filter.to)
    throw new OrbweaverError('USAGE', '--from is not before --to.', { remedy: 'Exchange the two times.' });
  return filter;
}

function words(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/** An empty one, such as that of a variable that is not set, would take everything or nothing. */
function given(flag: string, values: readonly string[]): readonly string[] {
  if (values.length > 0 && !values.includes('')) return values;
  throw new OrbweaverError('USAGE', `${flag} is empty.`, { remedy: 'Write what to take, or leave it out.' });
}

function askedLanguage(text: string): string {
  const tag = text.toLowerCase();
  if (/^[a-z]{2,3}$/.test(tag)) return tag;
  throw new OrbweaverError('USAGE', `--language does not know ${JSON.stringify(text)}.`, {
    remedy: 'Write languages by their codes, such as en or de,fr.',
  });
}

function askedType(text: string): string {
  const type = text.toLowerCase();
  if (/^[^/*\s]+\/(?:\*|[^/*\s]+)$/.test(type)) return type;
  throw new OrbweaverError('USAGE', `--type ${JSON.stringify(text)} is no media type.`, {
    remedy: 'Write one such as text/html or application/pdf, or all of a kind: image/*.',
  });
}

function askedQuery(text: string): string {
  if (text.trim() !== '') return text;
  throw new OrbweaverError('USAGE', '--query is empty.', {
    remedy: 'Write it as for orbweaver search, or leave it out.',
  });
}

function askedUsage(text: string): NonNullable<ExportFilter['usage']> {
  const [use, how, ...more] = text.split('=');
  if (USAGE_KINDS.includes(use as UsageKind) && more.length === 0 && (how === undefined || how === 'allowed'))
    return { use: use as UsageKind, explicit: how === 'allowed' };
  throw new OrbweaverError('USAGE', `--usage does not know ${JSON.stringify(text)}.`, {
    remedy: `The uses are: ${USAGE_KINDS.join(', ')}; ${USAGE_KINDS[2]} leaves out pages that disallow it, ${USAGE_KINDS[2]}=allowed takes only those that allow it.`,
  });
}
