/** The body of the thread that groups links. Started by folder-graph.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { OrbweaverError } from '../../base/errors.ts';
import { type GraphScope, type GroupedGraph, groupGraph } from './group-graph.ts';
import { loadSiteGraph, type SiteGraph } from './site-graph.ts';

export interface GraphRequest {
  readonly id: number;
  readonly scope: GraphScope;
}

/** `graph` is absent where no links were gathered. */
export type GraphAnswer =
  | { readonly id: number; readonly graph?: GroupedGraph }
  | { readonly id: number; readonly error: string };

const LEAST_AGE_MS = 20_000;
/** Loading takes one part in this many of the time. */
const COST_SHARE = 20;

const port = parentPort;
if (port === null) throw new OrbweaverError('INTERNAL', 'The graph thread was started as a program.');
const { folder } = workerData as { readonly folder: string };
const loaded: { graph?: Promise<SiteGraph | undefined>; goodUntil: number } = { goodUntil: 0 };

function current(): Promise<SiteGraph | undefined> {
  if (loaded.graph !== undefined && Date.now() < loaded.goodUntil) return loaded.graph;
  const began = Date.now();
  loaded.goodUntil = Number.POSITIVE_INFINITY;
  loaded.graph = loadSiteGraph(folder).finally(() => {
    loaded.goodUntil = Date.now() + Math.max(LEAST_AGE_MS, (Date.now() - began) * COST_SHARE);
  });
  return loaded.graph;
}

port.on('message', async ({ id, scope }: GraphRequest) => {
  try {
    const graph = await current();
    port.postMessage({ id, ...(graph && { graph: groupGraph(graph, scope) }) } satisfies GraphAnswer);
  } catch (error) {
    loaded.goodUntil = 0;
    const text = error instanceof Error ? error.message : String(error);
    port.postMessage({ id, error: text } satisfies GraphAnswer);
  }
});
