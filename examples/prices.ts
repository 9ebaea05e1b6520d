/** A page handler and a sink: finds prices in the text of pages and writes them to prices.jsonl in the crawl folder. */
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin, PluginContext } from '../src/index.ts';

export default ({ folder }: PluginContext): Plugin => ({
  name: 'prices',
  api: 1,
  onPage: ({ text, about }) =>
    [...text.matchAll(/(€|\$|£)\s?(\d+(?:\.\d\d)?)/g)].map(([, currency, amount]) => ({
      ...{ title: about.title, currency, amount: Number(amount) },
    })),
  sink: {
    async write(visits) {
      const rows = visits.flatMap(({ url, rows }) => rows.map((row) => `${JSON.stringify({ url, ...row })}\n`));
      if (rows.length > 0) await appendFile(join(folder, 'prices.jsonl'), rows.join(''));
    },
  },
});
