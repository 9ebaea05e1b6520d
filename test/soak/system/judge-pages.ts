import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readWarc } from '../../../src/archive/warc/warc-reader.ts';
import { targetUri } from '../../../src/archive/warc/warc-record.ts';
import type { Truth } from '../../../src/simulate/model/truth.ts';
import type { Located } from '../../../src/simulate/model/web-model.ts';
import type { SitesWeb } from '../../../src/simulate/sites/sites-web.ts';
import { isHeld, type PageRow, pageRows, waitingUrls } from './state-look.ts';

export interface PageVerdict {
  readonly expected: number;
  readonly held: number;
  /** Not held and not waiting, although a page that is held links to them. */
  readonly lost: readonly string[];
  /** Not held yet: they wait, or no page that links to them is held. */
  readonly unfinished: readonly string[];
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

/** Pages of the truth that are not held, nor rightly given up. */
export function missingPages(truth: Truth, web: SitesWeb, rows: ReadonlyMap<string, PageRow>, now: number): number[] {
  const missing: number[] = [];
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
    missing.push(page);
  }
  return missing;
}

export async function judgePages(truth: Truth, web: SitesWeb, folder: string, now: number): Promise<PageVerdict> {
  const rows = pageRows(folder);
  const archive = join(folder, 'archive');
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
      const located = locate(web, url);
      if (located?.kind !== 'page') continue;
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
    ...missing(truth, web, rows, waitingUrls(folder), now),
    storedTwice,
    notArchived: ofWeb.filter(({ url }) => !archived.has(url)).map(({ url }) => url),
    wrongBytes,
    damage,
    responses,
  };
}

function missing(
  truth: Truth,
  web: SitesWeb,
  rows: ReadonlyMap<string, PageRow>,
  waiting: ReadonlySet<string>,
  now: number,
): Pick<PageVerdict, 'lost' | 'unfinished'> {
  const linked = new Set<number>();
  for (const page of truth.pages('stored')) {
    const row = rows.get(web.url(page));
    if (row !== undefined && isHeld(row)) for (const { to } of web.links(page)) linked.add(to);
  }
  const all = missingPages(truth, web, rows, now);
  const isLost = (page: number): boolean => {
    return !waiting.has(web.url(page)) && (rows.has(web.url(page)) || linked.has(page));
  };
  const tell = (page: number): string => `${web.url(page)} (${rows.get(web.url(page))?.kind ?? 'never visited'})`;
  return { lost: all.filter(isLost).map(tell), unfinished: all.filter((page) => !isLost(page)).map(tell) };
}

/** Undefined for hosts of another web: the hostile ones. */
function locate(web: SitesWeb, url: string): Located | undefined {
  const { host, pathname, search } = new URL(url);
  const number = web.hosts.find(host);
  return number < 0 ? undefined : web.locate(number, pathname + search);
}

/** Which version of a page these bytes are. */
function versionOf(web: SitesWeb, page: number, body: string): number | undefined {
  for (let version = 0; version < VERSIONS; version++) if (web.bodyOf(page, version) === body) return version;
  return undefined;
}
