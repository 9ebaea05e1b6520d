import { createRequire } from 'node:module';
import type { Agent as UndiciAgent } from 'undici';

/**
 * undici's agent alone. Its main module loads fetch, WebSocket, caches and mocks as well, which a crawl never uses: a
 * third of the time that a thread takes to load what it fetches with. The version is pinned: a move of the file shows in every test.
 */
export const Agent: typeof UndiciAgent = createRequire(import.meta.url)('undici/lib/dispatcher/agent.js');
