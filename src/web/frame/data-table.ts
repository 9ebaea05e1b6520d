import { type Html, type HtmlPart, html } from './html.ts';

/** A head of a column; an object where the column holds numbers. */
export type TableHead = string | { readonly name: string };

/** A table whose first column names its rows; scrolls by itself where there is no room. `label`: where its heads do not tell it from others. */
export function dataTable(
  heads: readonly TableHead[],
  rows: readonly (readonly HtmlPart[])[],
  kind = '',
  label?: string,
): Html {
  const names = heads.map((head) => (typeof head === 'string' ? head : head.name));
  const kindOf = (at: number): Html | false => typeof heads[at] !== 'string' && html` class="number"`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label ?? names.join(', ')}"><table class="${kind}">
<thead><tr>${names.map((name, at) => html`<th scope="col"${kindOf(at)}>${name}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([first, ...rest]) =>
      html`<tr><th scope="row">${first}</th>${rest.map((cell, at) => html`<td${kindOf(at + 1)}>${cell}</td>`)}</tr>`,
  )}</tbody>
</table></div>`;
}

/** Names and values. */
export function factList(facts: readonly (readonly [name: string, value: HtmlPart] | undefined | false)[]): Html {
  return html`<dl class="fact-list">${facts
    .filter((fact) => fact !== undefined && fact !== false)
    .filter(([, value]) => value !== undefined && value !== false && value !== '')
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A part of a page with a head; `nothing` where there is no content. */
export function card(title: string, content: HtmlPart, nothing = '', kind = ''): Html {
  const isEmpty = content === undefined || content === false || content === '';
  return html`<section class="${`card ${kind}`.trim()}"><h2>${title}</h2>${isEmpty ? html`<p class="nothing">${nothing}</p>` : content}</section>`;
}
