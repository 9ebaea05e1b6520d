import { type Html, html, trusted } from '../frame/html.ts';

const QUERIES: readonly (readonly [string, string])[] = [
  ['garden spider', 'all of these words; fewer where no page has them all'],
  ['"orb web"', 'exactly this, word after word'],
  ['spider -man', 'without a word'],
  ['git rebase --onto', 'with the flag of a command: two hyphens leave nothing out'],
  ['silk OR thread', 'one or the other'],
  ['arachn*', 'words that begin so'],
  ['site:example.org', 'on one host or domain'],
  ['intitle:web  inurl:docs', 'in the title, in the address'],
  ['filetype:pdf  lang:de', 'of one type, in one language'],
  ['spider type:image', 'pictures, where they are described; type:video, type:audio'],
  ['after:2025-01-01  before:2026', 'from a time'],
];

const KEYS: readonly (readonly [string, string])[] = [
  ['/', 'to the search box'],
  ['↓ ↑  or  j k', 'through the results'],
  ['Enter', 'open the result'],
  ['c', 'open its cached copy'],
  ['Esc', 'close a list, leave the box'],
  ['?', 'this help'],
];

/** What can be typed; for the help window and for the page that replaces it without scripts. */
export function searchTips(heading: 'h1' | 'h2'): Html {
  const opening = trusted(`<${heading} id="help-title">`);
  const closing = trusted(`</${heading}>`);
  const keys = heading === 'h1' ? html`<h2>Keys</h2>` : html`<h3>Keys</h3>`;
  return html`${opening}Search tips${closing}
<dl class="tips">${QUERIES.map(([query, meaning]) => html`<dt><code>${query}</code></dt><dd>${meaning}</dd>`)}</dl>
${keys}
<dl class="tips">${KEYS.map(([key, meaning]) => html`<dt><kbd>${key}</kbd></dt><dd>${meaning}</dd>`)}</dl>`;
}
