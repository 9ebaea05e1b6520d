import { type Html, html } from '../frame/html.ts';
import { ownLink } from '../frame/links.ts';
import { isoTime, writtenMinute } from '../frame/written-date.ts';
import { copyHead } from './cached-text.ts';
import type { DiffBlock, DiffPart } from './text-diff.ts';

export interface ComparedCopies {
  readonly url: string;
  readonly from: number;
  readonly to: number;
  readonly blocks: readonly DiffBlock[];
  /** There are copies before these which may differ from them. */
  readonly older?: boolean;
}

/** Unchanged paragraphs that stay open around a change. */
const CONTEXT = 2;

/** What changed in the main text, to be read from top to bottom. */
export function diffView({ url, from, to, blocks, older = false }: ComparedCopies): Html {
  const side = (time: number): Html =>
    html`<a href="${ownLink('/cached', { url, at: isoTime(time) })}">${writtenMinute(time)}</a>`;
  return html`<article class="copy">
${copyHead({ url, title: 'What changed' })}
<p class="facts">From ${side(from)} to ${side(to)} · <a href="${ownLink('/diff', { url, from: isoTime(to), to: isoTime(from) })}">the other way round</a> · <a href="${ownLink('/versions', { url })}">all versions</a></p>
<p class="facts sum">${summary(blocks)}${older && ' Copies before these may differ: choose among all versions.'}</p>
<div class="diff">${folded(blocks)}</div>
</article>`;
}

/** There is nothing to compare it with. */
export function onlyCopyView(url: string, date: number): Html {
  return html`<article class="copy">
${copyHead({ url, title: 'What changed' })}
<p class="nothing">The page was visited once, on <a href="${ownLink('/cached', { url, at: isoTime(date) })}">${writtenMinute(date)}</a>: there is no other copy to compare this one with.</p>
</article>`;
}

function summary(blocks: readonly DiffBlock[]): string {
  const count = (kind: DiffBlock['kind']): number => blocks.filter((block) => block.kind === kind).length;
  const said = (['changed', 'added', 'removed'] as const)
    .filter((kind) => count(kind) > 0)
    .map((kind) => `${count(kind)} ${count(kind) === 1 ? 'paragraph' : 'paragraphs'} ${kind}`);
  return said.length === 0 ? 'The main text is the same.' : `${said.join(', ')}.`;
}

function folded(blocks: readonly DiffBlock[]): Html[] {
  const views: Html[] = [];
  for (let at = 0; at < blocks.length; ) {
    let end = at;
    while (end < blocks.length && blocks[end].kind === 'same') end++;
    if (end === at) {
      views.push(blockView(blocks[at++]));
      continue;
    }
    const head = at === 0 ? 0 : CONTEXT;
    const tail = end === blocks.length ? 0 : CONTEXT;
    const hidden = end - at - head - tail;
    if (hidden <= 1) {
      views.push(...blocks.slice(at, end).map(blockView));
    } else {
      views.push(...blocks.slice(at, at + head).map(blockView));
      views.push(
        html`<details><summary>${hidden} unchanged paragraphs</summary>${blocks.slice(at + head, end - tail).map(blockView)}</details>`,
      );
      views.push(...blocks.slice(end - tail, end).map(blockView));
    }
    at = end;
  }
  return views;
}

function blockView(block: DiffBlock): Html {
  switch (block.kind) {
    case 'same':
      return html`<p class="same" dir="auto">${block.text}</p>`;
    case 'added':
      return html`<p class="added" dir="auto"><ins>${block.text}</ins></p>`;
    case 'removed':
      return html`<p class="removed" dir="auto"><del>${block.text}</del></p>`;
    case 'changed':
      return html`<p class="changed" dir="auto">${block.parts.map(partView)}</p>`;
  }
}

function partView({ kind, text }: DiffPart): Html {
  if (kind === 'same') return html`${text}`;
  return kind === 'added' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`;
}
