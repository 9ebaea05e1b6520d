import type { ScorePart } from '../../contracts/search-index.ts';
import type { SearchAnswer, SearchHit, SnippetPart } from '../../contracts/search-service.ts';
import { formatScore } from '../../search/results/format-score.ts';

export interface ShowOptions {
  /** Bold words and links that can be clicked. */
  readonly terminal: boolean;
  readonly facets: boolean;
  /** Of each hit, where scores are to be explained. */
  readonly scores: readonly (ScorePart | undefined)[];
}

const BOLD = ['\u001b[1m', '\u001b[22m'];
const FAINT = ['\u001b[2m', '\u001b[22m'];

/** An answer for reading. Words of strangers reach the terminal without control characters, whatever they hold. */
export function formatHits(answer: SearchAnswer, { terminal, facets, scores }: ShowOptions): string {
  const first = (answer.page - 1) * answer.perPage;
  const lines = [headline(answer), ...answer.notes.map((note) => plain(note)), ...missing(answer), ...spelling(answer)];
  for (const [at, hit] of answer.hits.entries()) {
    lines.push('', ...hitLines(hit, first + at + 1, terminal));
    const score = scores[at];
    if (score !== undefined)
      lines.push(
        ...formatScore(score)
          .split('\n')
          .map((line) => `    ${plain(line)}`),
      );
  }
  if (facets && answer.facets !== undefined) lines.push('', ...facetLines(answer.facets));
  return lines.join('\n');
}

function headline(answer: SearchAnswer): string {
  const { total, exact, hits, page, ms } = answer;
  if (total === 0) return 'Nothing found.';
  const count = exact ? String(total) : `about ${rounded(total)}`;
  const where = page > 1 ? `, page ${page}` : '';
  if (hits.length === 0) return `Nothing on page ${page}: there are ${count} results.`;
  return `${capital(count)} ${total === 1 ? 'result' : 'results'}${wordsOf(answer)}${where} (${ms.toFixed(0)} ms)`;
}

/** What the results have of the query. */
function wordsOf({ total, withAllWords }: SearchAnswer): string {
  if (withAllWords === undefined) return '';
  if (withAllWords >= total) return ' with all words';
  return withAllWords === 0
    ? ' with some of the words, none with all'
    : `, ${withAllWords} with all words, the others with some`;
}

/** An estimate is no more exact than its first two figures. */
function rounded(total: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, total))) - 1);
  return Math.round(total / unit) * unit;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function missing({ dropped = [] }: SearchAnswer): string[] {
  return dropped.length === 0 ? [] : [`Without: ${dropped.map(plain).join(', ')}`];
}

function spelling({ query, correctedQuery, suggestion }: SearchAnswer): string[] {
  if (correctedQuery !== undefined)
    return [`Showing results for: ${plain(correctedQuery)} (--exact searches for: ${plain(query)})`];
  return suggestion === undefined ? [] : [`Did you mean: ${plain(suggestion)}`];
}

function hitLines(hit: SearchHit, rank: number, terminal: boolean): string[] {
  const title = marked(hit.title, terminal);
  const address = plain(hit.url ?? hit.id);
  const lines = [`${String(rank).padStart(2)}. ${linked(title, hit.url, terminal)}`, `    ${faint(address, terminal)}`];
  const snippet = marked(hit.snippet, terminal);
  if (snippet !== '') lines.push(`    ${snippet}`);
  if (hit.shownOn !== undefined) lines.push(`    on ${shownOn(hit.shownOn)}`);
  const about = [
    ...(hit.date > 0 ? [new Date(hit.date).toISOString().slice(0, 10)] : []),
    ...(hit.similar > 0 ? [`${hit.similar} nearly the same`] : []),
    ...(hit.moreFromHost > 0 ? [`${hit.moreFromHost} more from ${plain(hit.host)}`] : []),
  ];
  if (about.length > 0) lines.push(`    ${faint(about.join(' · '), terminal)}`);
  return lines;
}

function shownOn({ url, title }: NonNullable<SearchHit['shownOn']>): string {
  return title === '' ? plain(url) : `${plain(title)} ‹${plain(url)}›`;
}

function facetLines(facets: NonNullable<SearchAnswer['facets']>): string[] {
  const operators = { host: 'site', language: 'lang', type: 'filetype', year: 'year' } as const;
  return (Object.keys(operators) as (keyof typeof operators)[]).flatMap((name) => {
    const values = facets[name].slice(0, 8).map(({ value, count }) => `${plain(value)} ${count}`);
    return values.length === 0 ? [] : [`${operators[name].padEnd(9)}${values.join(', ')}`];
  });
}

function marked(parts: readonly SnippetPart[], terminal: boolean): string {
  const [on, off] = terminal ? BOLD : ['', ''];
  return parts.map(({ text, match }) => (match ? on + plain(text) + off : plain(text))).join('');
}

function faint(text: string, terminal: boolean): string {
  return terminal ? FAINT[0] + text + FAINT[1] : text;
}

/** A link that terminals open on a click (OSC 8). Its address is percent-encoded, so that it cannot end the sequence. */
function linked(text: string, url: string | undefined, terminal: boolean): string {
  if (!terminal || url === undefined) return text;
  const address = url.replace(/[^\x21-\x7e]/gu, (sign) => encodeURIComponent(sign.toWellFormed()));
  return `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`;
}

/** Without control characters and without marks that turn the direction of text. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').replace(/[\u202a-\u202e\u2066-\u2069]/g, '');
}
