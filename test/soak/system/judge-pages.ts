import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readWarc } from '../../../src/archive/warc-reader.ts';
import { targetUri } from '../../../src/archive/warc-record.ts';
import type { SitesWeb } from '../../../src/simulate/sites/sites-web.ts';
import type { Truth } from '../../../src/simulate/truth.ts';
import { isHeld, type PageRow } from './state-look.ts';

export interface PageVerdict {
  readonly expected: number;
  readonly held: number;
  /** Pages that the crawl should hold and does not. */
  readonly lost: readonly string[];
  /** The same version of a page in two response records. */
  readonly storedTwice: readonly string[];
  /** Held by the state, without a record in the archive. */
  readonly notArchived: readonly string[];
  /** Records whose bytes are no version of the page. */
  readonly wrongBytes: readonly string[];
  readonly damage: readonly string[];
  readonly responses: number;
}

const VERSIONS = 64;

/** Pages of the truth that are not held yet, with what the state says of them. */
export function missingPages(truth: Truth, web: SitesWeb, rows: ReadonlyMap<string, PageRow>, now: number): string[] {
  const missing: string[] = [];
  for (const page of truth.pages('stored')) {
    const row = rows.get(web.url(page));
    if (row !== undefined && isHeld(row)) continue;
    const fate = web.fate(page);
    const happened = fate.kind !== 'stays' && fate.at <= now;
    if (happened && fate.kind === 'vanishes' && row?.kind === 'gone') continue;
    if (happened && fate.kind === 'moves' && row?.kind === 'redirected') {
      const moved = rows.get(web.url(web.movesTo(page) as number));
      if (moved !== undefined && isHeld(moved)) continue;
    }
    missing.push(`${web.url(page)} (${row?.kind ?? 'never visited'})`);
  }
  return missing;
}

export async function judgePages(
  truth: Truth,
  web: SitesWeb,
  rows: ReadonlyMap<string, PageRow>,
  archive: string,
  now: number,
): Promise<PageVerdict> {
  const seen = new Map<string, string>();
  const archived = new Set<string>();
  const storedTwice: string[] = [];
  const wrongBytes: string[] = [];
  const damage: string[] = [];
  let responses = 0;
  for (const file of readdirSync(archive).filter((name) => name.endsWith('.warc.gz'))) {
    for await (const item of readWarc(join(archive, file))) {
      if (item.kind === 'damage') {
        damage.push(`${file} at ${item.at}: ${item.why}`);
        continue;
      }
      const { type, fields, block, offset } = item.record;
      const url = targetUri(fields) ?? '';
      if (type === 'revisit') archived.add(url);
      if (type !== 'response' || !block.subarray(0, 12).toString('latin1').includes(' 200')) continue;
      const located = web.locate(web.hosts.find(new URL(url).host), new URL(url).pathname + new URL(url).search);
      if (located.kind !== 'page') continue;
      responses++;
      archived.add(url);
      const body = block.subarray(block.indexOf('\r\n\r\n') + 4).toString('latin1');
      const version = versionOf(web, located.id, body);
      const at = `${file} at ${offset}, ${fields.get('WARC-Date')}`;
      if (version === undefined) {
        wrongBytes.push(`${url} (${at})`);
        continue;
      }
      const earlier = seen.get(`${url} ${version}`);
      if (earlier !== undefined) storedTwice.push(`${url}, version ${version}: ${earlier}; ${at}`);
      seen.set(`${url} ${version}`, at);
    }
  }
  const held = [...rows.values()].filter(isHeld);
  const ofWeb = held.filter(({ url }) => truth.fateOf(url) === 'stored');
  return {
    expected: truth.counts().stored,
    held: held.length,
    lost: missingPages(truth, web, rows, now),
    storedTwice,
    notArchived: ofWeb.filter(({ url }) => !archived.has(url)).map(({ url }) => url),
    wrongBytes,
    damage,
    responses,
  };
}

/** Which version of a page these bytes are. */
function versionOf(web: SitesWeb, page: number, body: string): number | undefined {
  for (let version = 0; version < VERSIONS; version++) if (web.bodyOf(page, version) === body) return version;
  return undefined;
}
