import type { SearchAnswer } from '../../contracts/search-service.ts';
import { type Html, html } from '../frame/html.ts';
import { ownLink, searchLink } from '../frame/links.ts';
import { facetsView } from './facets-view.ts';
import type { LanguageNames } from './language-names.ts';
import { Refinement } from './query-refinement.ts';
import { resultView } from './result-view.ts';

export interface ResultsOptions {
  readonly clicks: boolean;
  readonly unfolded: boolean;
  readonly exactWords: boolean;
  readonly languages: LanguageNames;
  /** Whether a copy of a page can be shown. */
  readonly hasCopy: (url: string) => boolean;
}

const COUNT = new Intl.NumberFormat('en');
/** Links to pages on either side of the present one. */
const PAGES_AROUND = 4;

/** The main part of a page of results. */
export function resultsView(answer: SearchAnswer, options: ResultsOptions): Html {
  const { clicks, unfolded, exactWords, languages, hasCopy } = options;
  const { hits, page, perPage } = answer;
  // Whoever follows a link means what is shown.
  const query = answer.correctedQuery ?? answer.query;
  const refinement = new Refinement(query);
  const first = (page - 1) * perPage + 1;
  return html`<h1 class="hidden">Results for ${query}</h1>
<div class="results-frame" data-query="${query}">
<div class="list">
<p class="count">${countOf(answer)} <span class="feed"><a href="${ownLink('/search.rss', { q: query, exact: exactWords ? 1 : undefined })}">RSS</a></span></p>
${adviceOf(answer, query)}
${hits.length === 0 ? nothingFound(query, page, exactWords) : html`<ol class="results" start="${first}">${hits.map((hit, at) => resultView(hit, { query, refinement, exactWords, position: first + at, clicks, hasCopy: hasCopy(hit.url ?? hit.id) }))}</ol>`}
${pagesOf(answer, query, unfolded, exactWords)}
${!unfolded && hits.some(({ similar, moreFromHost }) => similar + moreFromHost > 0) && html`<p class="folded">Pages that say nearly the same, and many pages of one host, are folded. <a href="${searchLink(query, exactWords, { unfolded: 1 })}">Show all of them</a></p>`}
</div>
${facetsView(answer.facets, { refinement, exactWords, languages })}
</div>`;
}

/** In words, for the page and for those who hear it. */
export function countOf(answer: SearchAnswer): string {
  const { ms, page } = answer;
  const number = totalOf(answer);
  return `${page > 1 ? `Page ${page} of ${number.toLowerCase()}` : number} (${(ms / 1_000).toFixed(3)} s)`;
}

/** Says what it counts where that is not plain: results with all words, and with some. */
function totalOf({ total, withAllWords, exact }: SearchAnswer): string {
  const results = (count: number): string => `${COUNT.format(count)} ${count === 1 ? 'result' : 'results'}`;
  const about = exact ? '' : 'About ';
  if (withAllWords === undefined || total === 0) return about + results(total);
  if (withAllWords === 0) return `${about}${results(total)} with some of the words, none with all`;
  if (withAllWords >= total) return `${about}${results(total)} with all words`;
  return `${results(withAllWords)} with all words, ${about.toLowerCase()}${COUNT.format(total - withAllWords)} more with some`;
}

function adviceOf(answer: SearchAnswer, query: string): Html {
  const { correctedQuery, suggestion, dropped = [], notes } = answer;
  return html`${
    correctedQuery !== undefined &&
    html`<p class="advice suggestion">Showing results for <a href="${searchLink(correctedQuery, false)}">${correctedQuery}</a>. Search instead for <a href="${searchLink(answer.query, true)}">${answer.query}</a></p>`
  }${suggestion !== undefined && suggestion !== query && html`<p class="advice suggestion">Did you mean <a href="${ownLink('/search', { q: suggestion })}">${suggestion}</a>?</p>`}${
    dropped.length > 0 &&
    html`<p class="advice">No page has all of these words. Left out: ${dropped.map((word, at) => html`${at > 0 && ', '}<s>${word}</s>`)}. <a href="${ownLink('/search', { q: firm(query, dropped) })}">Ask for all</a></p>`
  }${notes.map((note) => html`<p class="advice">${note}</p>`)}`;
}

/** A word in quotation marks is not given up. */
function firm(query: string, dropped: readonly string[]): string {
  return query
    .split(/\s+/)
    .map((word) => (dropped.includes(word) ? `"${word}"` : word))
    .join(' ');
}

function nothingFound(query: string, page: number, exactWords: boolean): Html {
  if (page > 1)
    return html`<p class="nothing">There are no further results. <a href="${searchLink(query, exactWords)}">To the first page</a></p>`;
  return html`<div class="nothing"><p>Nothing was found for <strong>${query}</strong>.</p>
<ul><li>Are all words spelt as you mean them?</li><li>Fewer or more general words find more.</li><li><a href="/help">Search tips</a></li></ul></div>`;
}

function pagesOf(
  { page, perPage, total, hits }: SearchAnswer,
  query: string,
  unfolded: boolean,
  exactWords: boolean,
): Html | undefined {
  const isLast = page * perPage >= total || hits.length < perPage;
  if (page === 1 && isLast) return undefined;
  const last = isLast ? page : Math.ceil(total / perPage);
  const to = (number: number): string =>
    searchLink(query, exactWords, { page: number > 1 ? number : undefined, unfolded: unfolded ? 1 : undefined });
  const numbers: number[] = [];
  for (let at = Math.max(1, page - PAGES_AROUND); at <= Math.min(last, page + PAGES_AROUND); at++) numbers.push(at);
  return html`<nav class="pages" aria-label="Pages of results">
${page > 1 && html`<a rel="prev" href="${to(page - 1)}">Previous</a>`}
${numbers.map((number) => (number === page ? html`<span aria-current="page">${number}</span>` : html`<a href="${to(number)}" aria-label="Page ${number}">${number}</a>`))}
${!isLast && html`<a rel="next" href="${to(page + 1)}">Next</a>`}
</nav>`;
}
