import type { RobotsRecord } from '../../contracts/content/robots.ts';
import type { RobotsFacts } from '../crawl-facts.ts';
import { factList } from '../frame/data-table.ts';
import { type Html, html } from '../frame/html.ts';
import { writtenSecond } from '../frame/written-date.ts';

/** More lines are cut: no browser lays out half a megabyte of list in good time. */
const MOST_LINES = 2000;
const WORDS: Readonly<Record<RobotsRecord['state'], string>> = {
  rules: 'read',
  'allow-all': 'none: all is allowed',
  'disallow-all': 'cannot be read: all is forbidden',
  moved: 'has moved; being fetched',
};

export function robotsWords({ state, why }: Pick<RobotsRecord, 'state' | 'why'>): string {
  return state === 'rules' ? why || WORDS.rules : `${WORDS[state]} (${why})`;
}

/** A robots.txt as it was fetched, with the line that decides marked. */
export function robotsView({ record, verdict, sitemaps }: RobotsFacts): Html {
  const lines = record.body?.split(/\r\n|\r|\n/) ?? [];
  const shown = lines.slice(0, MOST_LINES);
  return html`${factList([
    ['State', robotsWords(record)],
    ['Fetched', html`${writtenSecond(record.fetchedAt)}, good until ${writtenSecond(record.expiresAt)}`],
    verdict && [
      'Decides',
      html`<b class="${verdict.allowed ? 'good' : 'bad'}">${verdict.allowed ? 'Allowed' : 'Forbidden'}</b>: ${verdict.rule ?? 'no rule matches'}${verdict.line !== undefined && ` (line ${verdict.line})`}`,
    ],
    record.crawlDelayMs !== undefined && ['Crawl-delay', `${record.crawlDelayMs / 1000} s`],
    sitemaps.length > 0 && [
      'Sitemaps',
      html`<ul class="plain">${sitemaps.slice(0, 50).map((url) => html`<li>${url}</li>`)}</ul>`,
    ],
  ])}
${record.body !== undefined && record.body !== '' && html`<div class="source" tabindex="0" role="region" aria-label="robots.txt as fetched"><ol>${shown.map((line, at) => html`<li${verdict?.line === at + 1 && html` class="decides"`}>${line}</li>`)}</ol></div>${lines.length > shown.length && html`<p class="quiet">${lines.length - shown.length} more lines.</p>`}`}`;
}
