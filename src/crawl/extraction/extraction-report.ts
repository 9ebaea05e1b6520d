import type { StoredSet } from '../../contracts/state/row-store.ts';
import { openRowReader } from '../../engines/open-rows.ts';

/** What the rules of a crawl have come to. */
export interface ExtractionReport {
  readonly sets: readonly ReportedSet[];
}

export interface ReportedSet extends Pick<StoredSet, 'pages' | 'rows' | 'gone' | 'problems' | 'problem'> {
  readonly name: string;
  /** What found nothing on any page, in words. */
  readonly unmatched: readonly string[];
}

/** Of the sets that the last run had; undefined where no rule was ever used in the folder. */
export function extractionReport(folder: string): ExtractionReport | undefined {
  using reader = openRowReader(folder);
  if (reader === undefined) return undefined;
  const sets = reader.sets().filter(({ isCurrent }) => isCurrent);
  return sets.length === 0 ? undefined : { sets: sets.map(reportOf) };
}

export function reportOf(set: StoredSet): ReportedSet {
  const { rules, pages, rows, gone, problems, problem } = set;
  return {
    ...{ name: rules.name, pages, rows, gone, problems, unmatched: unmatchedOf(set) },
    ...(problem === undefined ? {} : { problem }),
  };
}

function unmatchedOf({ rules, pages, unmatched }: StoredSet): string[] {
  const tried = pages === 1 ? 'the one page that matches' : `${pages} pages that match`;
  return unmatched.map((part) => {
    if (part === 'match')
      return rules.match.length === 0 ? 'there was no HTML page' : `no page matches ${rules.match.join(' or ')}`;
    if (part === 'each') return `each (${rules.each?.expression}) selects nothing on ${tried}`;
    const field = rules.fields.find(({ name }) => name === part);
    const how = field?.selector?.expression ?? field?.regex?.source;
    return `${part} (${how}) finds nothing on ${tried}`;
  });
}
