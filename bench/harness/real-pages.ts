import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SyntheticWeb } from '../../src/simulate/model/synthetic-web.ts';
import { webSpec } from '../../src/simulate/model/web-spec.ts';
import { corpus } from '../../test/corpora.ts';

export interface Pages {
  readonly bodies: readonly Uint8Array[];
  readonly megabytes: number;
  /** Where they come from. */
  readonly source: string;
}

const SETS = ['article-extraction', 'trafilatura-eval'];
const SYNTHETIC_PAGES = 300;

/** HTML as people wrote it, from the data sets beside the checkout; where there are none, synthetic pages. All, or every so many-th. */
export function realPages(everyNth = 1): Pages {
  const folders = SETS.map(corpus).filter((folder) => folder !== undefined);
  const all = folders.length === 0 ? syntheticPages() : folders.flatMap(readPages);
  const bodies = all.filter((_, at) => at % everyNth === 0);
  return {
    bodies,
    megabytes: bodies.reduce((sum, body) => sum + body.length, 0) / 1e6,
    source: folders.length === 0 ? 'synthetic pages (the data sets are not beside the checkout)' : 'real pages',
  };
}

function readPages(folder: string): Uint8Array[] {
  return readdirSync(join(folder, 'html')).map((file) => gunzipSync(readFileSync(join(folder, 'html', file))));
}

function syntheticPages(): Uint8Array[] {
  const spec = webSpec({ hosts: 1, pagesPerHost: SYNTHETIC_PAGES, linksPerPage: 60, pageBytes: [20_000, 200_000] });
  const web = new SyntheticWeb(spec, { mode: 'names', port: 80, hostsPerAddress: 0 });
  return Array.from({ length: SYNTHETIC_PAGES }, (_, id) =>
    Buffer.from(web.reply(0, { kind: 'page', id }, { before: 0, now: 0 }).body, 'latin1'),
  ).filter((body) => body.length > 0);
}
