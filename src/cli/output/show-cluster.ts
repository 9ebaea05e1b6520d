import { OrbweaverError } from '../../base/errors.ts';
import { resolveSettings } from '../../base/settings/resolve-settings.ts';
import type { ClusterView, NodeRecord } from '../../contracts/state/nodes.ts';
import { openCluster } from '../../crawl/nodes/cluster-view.ts';
import { hasEnded, readRecord } from '../../crawl/nodes/crawl-record.ts';
import { writeText } from './write-text.ts';
import { counted } from './written-amount.ts';

/** Shows who takes part in a crawl, and with what. */
export async function showCluster(store: string | undefined, json: boolean): Promise<void> {
  await using cluster = await openCluster(storeOf(store));
  const view = await cluster.nodes.view();
  const record = await readRecord(cluster.notes);
  const isOver = record !== undefined && (await hasEnded(cluster.notes, record.version));
  if (json) process.stdout.write(`${JSON.stringify({ ...view, isOver })}\n`);
  else writeText(describeCluster(view, isOver));
}

/** Asks a node to hand over and end. */
export async function drainNode(store: string | undefined, name: string): Promise<void> {
  await using cluster = await openCluster(storeOf(store));
  if (!(await cluster.nodes.drain(name)))
    throw new OrbweaverError('USAGE', `There is no node ${name} in this crawl.`, {
      remedy: 'Use a name that "orbweaver cluster" shows.',
    });
  writeText(`${name} hands over its partitions and ends.\n`);
}

function storeOf(given: string | undefined): string {
  const { store } = resolveSettings({ flags: given === undefined ? {} : { store: given }, env: process.env }).settings;
  if (store !== '') return store;
  throw new OrbweaverError('USAGE', 'No database is named.', {
    remedy: 'Name it with --store postgres://… or with ORBWEAVER_STORE.',
  });
}

export function describeCluster(view: ClusterView, isOver: boolean): string {
  const { nodes, partitions, pending } = view;
  const owned = Map.groupBy(partitions, ({ node }) => node);
  const free = partitions.filter(({ node, hasLapsed }) => node === undefined || hasLapsed).length;
  const rows = nodes.map((node) => nodeRow(node, owned.get(node.name)?.length ?? 0));
  const head = ['node', 'state', 'partitions', 'pages', 'pages/s', 'queued', 'in flight', 'lag', 'takeovers', 'lost'];
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => row[at].length)));
  const lines = [head, ...rows].map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]))
      .join('  ')
      .trimEnd(),
  );
  return `${[
    ...lines,
    `${counted(partitions.length, 'partition')}, ${free} of them without a node that lives; ${counted(pending, 'message')} on the way`,
    ...endOf(nodes, isOver),
  ].join('\n')}\n`;
}

function endOf(nodes: readonly NodeRecord[], isOver: boolean): string[] {
  if (isOver) return ['The crawl is finished.'];
  if (nodes.some(({ isAlive }) => isAlive)) return [];
  return ['No node is at work. To go on with what is left: orbweaver node --folder DIR'];
}

function nodeRow(node: NodeRecord, partitions: number): string[] {
  const state = !node.isAlive ? 'gone' : node.isDraining ? 'draining' : node.idleState === undefined ? 'busy' : 'idle';
  return [
    ...[node.name, state, String(partitions), String(node.pages), node.pagesPerSecond.toFixed(1), String(node.queued)],
    ...[String(node.inFlight), `${(node.lagMs / 1000).toFixed(1)} s`, String(node.takeovers), String(node.lost)],
  ];
}
