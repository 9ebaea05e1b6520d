import { card, dataTable } from '../frame/data-table.ts';
import { type Html, html } from '../frame/html.ts';
import { ownLink, readableAddress, splitAddress, withoutMisleading } from '../frame/links.ts';
import { oneLineAddress } from '../frame/one-line-address.ts';
import { formatCount } from '../frame/written-amount.ts';
import { layOutGraph, PICTURE } from './graph-layout.ts';
import type { GraphGroup, GraphScope, GroupedGraph } from './group-graph.ts';

/** How much larger than the room the picture is. */
export const ZOOMS = [1, 2, 4] as const;
export type Zoom = (typeof ZOOMS)[number];

const COLOURS = 8;
const LONGEST_NAME = 22;
const MOST_WIDTH = 7;

/** The links of a site as a picture, and the same as a table. */
export function graphView(graph: GroupedGraph, scope: GraphScope, zoom: Zoom): Html {
  const { groups, pages, inside, incoming, outgoing } = graph;
  return html`<article class="wide-page graph-page">
<h1>Link graph</h1>
${breadcrumb(scope)}
<p class="quiet">${formatCount(pages)} ${pages === 1 ? 'page' : 'pages'}, ${formatCount(inside)} links between them${scope.host !== undefined && `, ${formatCount(incoming)} from elsewhere, ${formatCount(outgoing)} to elsewhere`}. The area of a circle is its share of the PageRank; a click leads into it.</p>
${
  groups.length === 0
    ? html`<p class="nothing">No indexed page lies here.</p>`
    : html`<section class="card"><div class="card-head"><h2>Picture</h2><p class="choices" role="group" aria-label="Size of the picture">${ZOOMS.map((one) => html`<a href="${ownLink('/graph', { ...parameters(scope), zoom: one === 1 ? undefined : one })}"${one === zoom && html` aria-current="true"`}>${one * 100} %</a> `)}</p></div>
<div class="graph-room" tabindex="0" role="region" aria-label="Picture of the link graph">${picture(graph, scope, zoom)}</div></section>
${card('As a table', table(graph, scope))}`
}
</article>`;
}

function parameters({ host, prefix }: GraphScope): { host: string | undefined; prefix: string | undefined } {
  return { host, prefix: prefix === '/' ? undefined : prefix };
}

function breadcrumb({ host, prefix }: GraphScope): Html {
  const steps = prefix.split('/').filter((step) => step !== '');
  return html`<p class="choices" role="group" aria-label="Where"><a href="/graph"${host === undefined && html` aria-current="page"`}>All hosts</a> ${host !== undefined && html`<a href="${ownLink('/graph', { host })}"${steps.length === 0 && html` aria-current="page"`}>${withoutMisleading(host)}</a> `}${steps.map(
    (step, at) => {
      const path = `/${steps.slice(0, at + 1).join('/')}/`;
      return html`<a href="${ownLink('/graph', { host, prefix: path })}"${at === steps.length - 1 && html` aria-current="page"`}>${withoutMisleading(step)}/</a> `;
    },
  )}</p>`;
}

/** Where a circle leads; the rest leads nowhere. */
function targetOf({ kind, key }: GraphGroup, { host }: GraphScope): string | undefined {
  if (kind === 'host') return ownLink('/graph', { host: key });
  if (kind === 'folder') return ownLink('/graph', { host, prefix: key });
  return kind === 'page' ? ownLink('/page', { url: key }) : undefined;
}

function picture(graph: GroupedGraph, scope: GraphScope, zoom: Zoom): Html {
  const { groups, links } = graph;
  const circles = layOutGraph(graph);
  const most = Math.max(1, ...links.map(({ count }) => count));
  // Where each pair has one link or two, none stands out.
  const widest = Math.min(MOST_WIDTH, 1 + Math.log2(most));
  const lines = links.toReversed().map(({ from, to, count }) => {
    const [a, b] = [circles[from], circles[to]];
    // Bent to one side, so that links back can be told from links forth.
    const [bendX, bendY] = [(a.x + b.x) / 2 + (b.y - a.y) * 0.12, (a.y + b.y) / 2 - (b.x - a.x) * 0.12];
    const width = 0.8 + (widest - 0.8) * Math.sqrt(count / most);
    return html`<path class="link" stroke-width="${width.toFixed(1)}" d="${`M${a.x.toFixed(0)} ${a.y.toFixed(0)}Q${bendX.toFixed(0)} ${bendY.toFixed(0)} ${b.x.toFixed(0)} ${b.y.toFixed(0)}`}"/>`;
  });
  const nodes = groups.map((group, at) => {
    const { x, y, radius } = circles[at];
    const target = targetOf(group, scope);
    const name = shortName(group);
    const said = `${group.name}: ${formatCount(group.pages)} ${group.pages === 1 ? 'page' : 'pages'}, ${percent(group.rank)} of the rank`;
    const colour = group.cluster < 0 ? 'rest' : String(group.cluster % COLOURS);
    const drawn = html`<title>${said}</title><circle class="${`node c-${colour} ${group.kind}`}" cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="${radius.toFixed(1)}"/><text x="${x.toFixed(0)}" y="${(y + radius + 13).toFixed(0)}">${name}</text>`;
    return target === undefined ? html`<g>${drawn}</g>` : html`<a href="${target}">${drawn}</a>`;
  });
  return html`<svg class="graph zoom-${zoom}" viewBox="0 0 ${PICTURE.width} ${PICTURE.height}" role="group" aria-label="Circles of pages with the links between them"><g aria-hidden="true">${lines}</g>${nodes}</svg>`;
}

function shortName({ name, kind }: GraphGroup): string {
  const { start, end } = splitAddress(
    kind === 'host' || kind === 'rest' ? withoutMisleading(name) : readablePath(name),
  );
  const whole = start + end;
  return whole.length <= LONGEST_NAME ? whole : `…${[...whole].slice(-LONGEST_NAME).join('')}`;
}

function readablePath(path: string): string {
  const { path: steps } = readableAddress(`http://x${path}`);
  return `/${steps.join('/')}${path.endsWith('/') && path !== '/' ? '/' : ''}`;
}

function table({ groups, links }: GroupedGraph, scope: GraphScope): Html {
  const rows = groups.map((group, at) => {
    const sum = (end: 'from' | 'to'): number =>
      links.reduce((total, link) => total + (link[end] === at ? link.count : 0), 0);
    const target = targetOf(group, scope);
    const text = oneLineAddress(withoutMisleading(group.name), group.kind === 'page' ? group.key : group.name);
    return [
      target === undefined ? group.name : html`<a href="${target}">${text}</a>`,
      KINDS[group.kind],
      formatCount(group.pages),
      percent(group.rank),
      formatCount(sum('to')),
      formatCount(sum('from')),
    ];
  });
  const heads = ['Name', 'Kind', ...['Pages', 'Rank', 'Links in', 'Links out'].map((name) => ({ name }))];
  return dataTable(heads, rows, 'visits');
}

const KINDS: Readonly<Record<GraphGroup['kind'], string>> = { host: 'host', folder: 'folder', page: 'page', rest: '' };

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
