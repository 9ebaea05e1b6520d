/** A ranking signal: what is declared to be of this year counts twice. `orbweaver serve --plugins ./examples/newer-first.ts` */
import type { Plugin } from '../src/index.ts';

const YEAR_MS = 365.25 * 86_400_000;

export default {
  name: 'newer-first',
  api: 1,
  signal: ({ date }) => (date === undefined ? 1 : 1 + Math.exp(-Math.max(0, Date.now() - date) / YEAR_MS)),
} satisfies Plugin;
