import type { CrawlState } from '../contracts/state/crawl-state.ts';
import type { NodeState, StoreView } from '../contracts/state/node-state.ts';
import type { NodeStoreToOpen, StoreToOpen } from './postgres/open-postgres-state.ts';

/** Opens the state of a crawl in a database; made where there is none. Loads the client of the database only then. */
export async function openStore(store: StoreToOpen): Promise<CrawlState> {
  const { openPostgresState } = await import('./postgres/open-postgres-state.ts');
  return await openPostgresState(store);
}

/** Opens the state of a crawl that several nodes share, as one of them sees it. */
export async function openNodeStore(store: NodeStoreToOpen): Promise<NodeState> {
  const { openPostgresNode } = await import('./postgres/open-postgres-state.ts');
  return await openPostgresNode(store);
}

/** Opens the state of a crawl that exists for those who only look at it. */
export async function openStoreView(url: string): Promise<StoreView> {
  const { openPostgresView } = await import('./postgres/open-postgres-state.ts');
  return await openPostgresView(url);
}
