import { type Html, html } from '../frame/html.ts';
import { ownLink } from '../frame/links.ts';
import { formatCount, formatSize } from '../frame/written-amount.ts';
import type { CrawlLook } from './crawl-watch.ts';
import { amountBins, rateBins } from './time-bins.ts';
import { timeChart } from './time-chart.ts';

/** How far back charts go; 'all': to the first sample of the first run. */
export const SPANS = { '10m': 'Last 10 minutes', '2h': 'Last 2 hours', '24h': 'Last day', all: 'Everything' } as const;
export type Span = keyof typeof SPANS;

const SPAN_MS: Readonly<Record<Exclude<Span, 'all'>, number>> = { '10m': 600_000, '2h': 7_200_000, '24h': 86_400_000 };
const BINS = 60;
const LEAST_SPREAD_MS = 60_000;

/** The crawl over time, all runs together. */
export function chartsView(look: CrawlLook, span: Span): Html {
  const samples = look.monitor?.samples ?? [];
  if (samples.length < 2)
    return html`<p class="nothing">${look.monitor === undefined ? 'This crawl has noted nothing about its course; the next run will.' : 'The first samples are being taken.'}</p>`;
  const to =
    look.ended === undefined ? Math.max(look.at, samples[samples.length - 1].at) : samples[samples.length - 1].at;
  const from = span === 'all' ? Math.min(samples[0].at, to - LEAST_SPREAD_MS) : to - SPAN_MS[span];
  const rate = (name: Parameters<typeof rateBins>[1]) => rateBins(samples, name, from, to, BINS);
  const amount = (name: Parameters<typeof amountBins>[1]) => amountBins(samples, name, from, to, BINS);
  return html`<div class="charts">
${timeChart({ title: 'Pages per second', bins: rate('pages'), format: perSecond })}
${timeChart({ title: 'Received per second', bins: rate('bytes'), format: (value) => `${formatSize(value)}/s` })}
${timeChart({ title: 'URLs in the queue', bins: amount('queued'), format: (value) => formatCount(Math.round(value)) })}
${timeChart({ title: 'Requests under way', bins: amount('inFlight'), format: (value) => formatCount(Math.round(value)) })}
${timeChart({ title: 'Failures per second', bins: rate('failed'), format: perSecond })}
${timeChart({ title: 'Memory', bins: amount('memory'), format: formatSize })}
</div>`;
}

/** Chosen by a link, so that it works without a script. */
export function spanLinks(span: Span): Html {
  return html`<p class="choices" role="group" aria-label="Time shown">${(Object.keys(SPANS) as Span[]).map(
    (name) =>
      html`<a href="${ownLink('/dashboard', { span: name === 'all' ? undefined : name })}"${name === span && html` aria-current="true"`}>${SPANS[name]}</a> `,
  )}</p>`;
}

export function perSecond(rate: number): string {
  return `${rate.toFixed(rate < 10 ? 1 : 0)}/s`;
}
