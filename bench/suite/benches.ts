import { archive } from './archive.ts';
import type { Bench } from './bench.ts';
import { crawl } from './crawl.ts';
import { defaultCrawl } from './default.ts';
import { frontier } from './frontier.ts';
import { latency } from './latency.ts';
import { memory } from './memory.ts';
import { parser } from './parser.ts';
import { polite } from './polite.ts';
import { startUp } from './start-up.ts';
import { threads } from './threads.ts';
import { url } from './url.ts';

/** In the order in which they run: whole crawls first, then the parts. */
export const BENCHES: readonly Bench[] = [
  crawl,
  defaultCrawl,
  threads,
  latency,
  polite,
  memory,
  parser,
  url,
  frontier,
  archive,
  startUp,
];
