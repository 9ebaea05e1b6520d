// Orbweaver as a library: the sources in a checkout, what was built from them in an installed package.
import { existsSync } from 'node:fs';

const source = new URL('../src/index.ts', import.meta.url);
const built = new URL('../dist/index.js', import.meta.url);
const library = await import((existsSync(source) ? source : built).href);

export const {
  CrawlReader,
  createCrawl,
  ERROR_CODES,
  openSearch,
  openUrlStore,
  openUrlStoreWriter,
  OrbweaverError,
  updateIndex,
  version,
} = library;
