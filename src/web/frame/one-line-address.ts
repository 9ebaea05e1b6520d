import { type Html, html } from './html.ts';
import { splitAddress } from './links.ts';

/** An address on one line, shortened in the middle where there is no room; the whole of it is its title. */
export function oneLineAddress(text: string, whole: string): Html {
  const { start, end } = splitAddress(text);
  return html`<bdi class="line" title="${whole}"><span class="start">${start}</span>${end !== '' && html`<span class="end">${end}</span>`}</bdi>`;
}
