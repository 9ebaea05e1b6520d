import { METRICS } from './catalogue.ts';
import type { HistogramState, Labels, MetricFamily, Sample } from './metric.ts';

export type ExpositionFormat = 'text' | 'openmetrics';

export const CONTENT_TYPES: Readonly<Record<ExpositionFormat, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** The format that a scraper asks for; that of Prometheus where it asks for none that we have. */
export function formatFor(accept: string | undefined): ExpositionFormat {
  let best: { readonly format: ExpositionFormat; readonly quality: number } = { format: 'text', quality: 0 };
  for (const part of (accept ?? '').split(',')) {
    const [type, ...parameters] = part.split(';').map((word) => word.trim().toLowerCase());
    const given = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const quality = given === undefined ? 1 : Number(given);
    // Of an equal wish the first counts.
    if (type === 'application/openmetrics-text' && quality > best.quality) best = { format: 'openmetrics', quality };
    if (['text/plain', 'text/*', '*/*'].includes(type) && quality > best.quality) best = { format: 'text', quality };
  }
  return best.format;
}

/** The families in a format that Prometheus reads. Families without a sample are left out. */
export function expose(families: readonly MetricFamily[], format: ExpositionFormat): string {
  const lines: string[] = [];
  for (const family of families) {
    if ('samples' in family && family.samples.length === 0) continue;
    const { type, help } = METRICS[family.name];
    // In OpenMetrics the family of a counter has no suffix, its samples have.
    const name = format === 'openmetrics' && type === 'counter' ? family.name.replace(/_total$/, '') : family.name;
    lines.push(`# HELP ${name} ${escapeHelp(help, format)}`, `# TYPE ${name} ${type}`);
    if ('histogram' in family) lines.push(...histogramLines(family.name, family.histogram));
    else lines.push(...family.samples.map((sample) => line(family.name, sample)));
  }
  return `${lines.join('\n')}\n${format === 'openmetrics' ? '# EOF\n' : ''}`;
}

function histogramLines(name: string, { bounds, counts, sum }: HistogramState): string[] {
  let total = 0;
  const buckets = Array.from(counts, (count, at) => {
    total += count;
    const le = at < bounds.length ? numberText(bounds[at], true) : '+Inf';
    return line(`${name}_bucket`, { labels: { le }, value: total });
  });
  return [...buckets, line(`${name}_sum`, { value: sum }), line(`${name}_count`, { value: total })];
}

function line(name: string, { labels = {}, value }: Sample): string {
  return `${name}${labelText(labels)} ${numberText(value)}`;
}

function labelText(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

/** OpenMetrics wants bounds as floats: 1.0, not 1. */
function numberText(value: number, isBound = false): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return isBound && Number.isInteger(value) ? `${value}.0` : String(value);
}

function escapeValue(text: string): string {
  return text.toWellFormed().replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

function escapeHelp(text: string, format: ExpositionFormat): string {
  const escaped = text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
  return format === 'openmetrics' ? escaped.replace(/"/g, '\\"') : escaped;
}
