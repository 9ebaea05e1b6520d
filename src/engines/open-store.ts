import type { CrawlState } from '../contracts/state/crawl-state.ts';
import type { StoreToOpen } from './postgres/open-postgres-state.ts';

/** Opens the state of a crawl in a database; made where there is none. Loads the client of the database only then. */
export async function openStore(store: StoreToOpen): Promise<CrawlState> {
  const { openPostgresState } = await import('./postgres/open-postgres-state.ts');
  return await openPostgresState(store);
}
