import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { parseArchiveFileName } from '../../archive/archive-file-name.ts';
import { ArchiveSet } from '../../archive/archive-set.ts';
import { readWarc } from '../../archive/warc/warc-reader.ts';
import { targetUri } from '../../archive/warc/warc-record.ts';
import { systemClock } from '../../base/clock.ts';
import { OrbweaverError } from '../../base/errors.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { hostKeyOf, hostnameOf, originOf } from '../../url/host-key.ts';
import { registrableDomain } from '../../url/public-suffix.ts';
import { archiveFolder } from '../crawl-folder.ts';
import { type ArchivedRequest, archivedRequests } from './archived-requests.ts';
import type { PolitenessNote } from './politeness-note.ts';
import { type AuditFinding, noFinding, type PauseReport, RequestLog, type RequestPlace } from './request-log.ts';
import { RobotsHistory } from './robots-history.ts';

export interface AuditOptions {
  /** Crawl folders: of one crawl, whose nodes have one each. */
  readonly folders: readonly string[];
  /** Product token of the crawl. */
  readonly agent: string;
  /** What is owed, where the archive files do not say. */
  readonly note: PolitenessNote;
  /** What is owed whatever they say. */
  readonly overrules: Partial<PolitenessNote>;
  /** Whether robots.txt is to be obeyed. */
  readonly robots: boolean;
  readonly onProgress?: (requests: number) => void;
}

/** A finding with its examples as people read them. */
export interface ShownFinding {
  readonly count: number;
  readonly examples: readonly string[];
}

export interface CrawlAudit {
  readonly passed: boolean;
  readonly requests: number;
  readonly hosts: number;
  readonly addresses: number;
  readonly domains: number;
  readonly from: number;
  readonly to: number;
  /** Places where an archive file is damaged: requests may be missing. */
  readonly damaged: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly agents: Readonly<Record<string, number>>;
  readonly robots: { readonly origins: number; readonly oldestMs: number };
  readonly pauses: {
    readonly host: Pauses;
    /** Only where the crawl owes them. */
    readonly address?: Pauses;
    readonly domain?: Pauses;
  };
  readonly checks: Readonly<Record<AuditCheck, ShownFinding>>;
}

export type Pauses = Omit<PauseReport, 'tooShort'>;

const CHECKS = {
  beforeRobots: 'requests before the robots.txt of their origin was read',
  disallowed: 'requests that robots.txt disallows',
  oldRobots: 'requests by a robots.txt older than robots-max-age',
  hostPause: 'pauses of a host that were too short',
  addressPause: 'pauses of an address that were too short',
  domainPause: 'pauses of a domain that were too short',
  parallel: 'requests to a host beyond those allowed at once',
  retryAfter: 'requests before the time that Retry-After named',
} as const;

export type AuditCheck = keyof typeof CHECKS;

export const AUDIT_CHECKS: Readonly<Record<AuditCheck, string>> = CHECKS;

/** Proves from the archive of a crawl what it asked for, when, and by which rules; or finds where it broke them. */
export async function auditCrawl(options: AuditOptions): Promise<CrawlAudit> {
  const archives = distinct(options.folders.map(archiveFolder));
  const files = archives.flatMap((folder) => archiveFiles(folder).map((file) => ({ folder, file })));
  const archive = new ArchiveSet(archives, {
    ...{ writerId: 'reader', clock: systemClock, software: '', userAgent: '', robots: '' },
  });
  const run = new AuditRun(options, new RobotsHistory(archive));
  for (const [number, { folder, file }] of files.entries()) await run.read(folder, file, number);
  const report = run.report();
  if (report.requests === 0)
    throw new OrbweaverError(
      'FOLDER_NOT_A_CRAWL',
      'The archive holds no request to a web server: nothing can be judged.',
      {
        remedy: 'Crawls of folders and imported archives ask nobody. Name the folder of another crawl with --dir.',
      },
    );
  const shown = async ({ count, examples }: AuditFinding): Promise<ShownFinding> => ({
    count,
    examples: await Promise.all(
      examples.map(async (example) => `${await urlAt(files[example.file], example)}: ${example.what}`),
    ),
  });
  const checks = Object.fromEntries(
    await Promise.all(Object.entries(report.found).map(async ([name, found]) => [name, await shown(found)])),
  ) as CrawlAudit['checks'];
  const { found: _found, ...rest } = report;
  return { passed: Object.values(checks).every(({ count }) => count === 0), ...rest, checks };
}

/** A folder that is named twice, by a link perhaps, counts once: its requests would else seem to come in pairs. */
function distinct(folders: readonly string[]): string[] {
  const real = new Map(folders.map((folder) => [existsSync(folder) ? realpathSync(folder) : folder, folder]));
  return [...real.values()];
}

/** Those of the folder, by name; none is no crawl. */
function archiveFiles(folder: string): string[] {
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => parseArchiveFileName(file) !== undefined)
        .sort()
    : [];
  if (files.length > 0) return files;
  throw new OrbweaverError('FOLDER_NOT_A_CRAWL', `${folder} holds no archive files.`, {
    remedy: 'Name the folder of a crawl with --dir. Files that were shipped to a store have to be brought back first.',
  });
}

async function urlAt({ folder, file }: { folder: string; file: string }, { offset }: RequestPlace): Promise<string> {
  for await (const item of readWarc(join(folder, file), { from: offset, keep: 0 }))
    if (item.kind === 'record') return targetUri(item.record.fields) ?? '?';
  return '?';
}

class AuditRun {
  readonly #options: AuditOptions;
  readonly #robots: RobotsHistory;
  readonly #log = new RequestLog();
  readonly #hosts = new Numbered();
  readonly #addresses = new Numbered();
  readonly #domains = new Numbered();
  readonly #found = { beforeRobots: noFinding(), disallowed: noFinding(), oldRobots: noFinding() };
  readonly #doubts: {
    readonly finding: AuditFinding;
    readonly url: string;
    readonly row: number;
    readonly what: string;
  }[] = [];
  readonly #statuses: Record<string, number> = {};
  readonly #agents: Record<string, number> = {};
  #damaged = 0;
  #oldestMs = 0;
  #owesAddress = false;
  #owesDomain = false;

  constructor(options: AuditOptions, robots: RobotsHistory) {
    this.#options = options;
    this.#robots = robots;
  }

  async read(folder: string, file: string, number: number): Promise<void> {
    const { overrules } = this.#options;
    let note = { ...this.#options.note, ...overrules };
    for await (const item of archivedRequests(folder, file)) {
      if (item.kind === 'damage') this.#damaged++;
      else if (item.kind === 'politeness') note = { ...item.note, ...overrules };
      else if (/^https?:/.test(item.request.url)) {
        await this.#take(item.request, note, { file: number, offset: item.offset });
        if (this.#log.length % 1000 === 0) this.#options.onProgress?.(this.#log.length);
      }
    }
  }

  async #take(request: ArchivedRequest, note: PolitenessNote, place: RequestPlace): Promise<void> {
    const url = request.url as CanonicalUrl;
    const [host, origin, name] = [hostKeyOf(url), originOf(url), hostnameOf(url)];
    const reading = await this.#robots.before(origin, request.at);
    const judge = reading?.judgeOf(note.robotsNames ?? this.#options.agent);
    const crawlDelayMs = this.#options.robots ? (judge?.crawlDelay ?? 0) * 1000 : 0;
    const row = this.#log.add(request, { ...place, note, crawlDelayMs, host });
    this.#hosts.add(host);
    this.#addresses.add(request.address === '' ? undefined : request.address);
    this.#domains.add(registrableDomain(name) ?? name);
    count(this.#statuses, String(request.status));
    count(this.#agents, request.agent);
    this.#owesAddress ||= note.politeness.includes('ip');
    this.#owesDomain ||= note.politeness.includes('domain');
    if (!this.#options.robots || url === `${origin}/robots.txt`) return;
    const { beforeRobots, disallowed, oldRobots } = this.#found;
    if (reading === undefined || judge === undefined)
      return this.#doubt(beforeRobots, url, row, 'its robots.txt was not read before');
    const age = request.at - reading.askedAt;
    this.#oldestMs = Math.max(this.#oldestMs, age);
    // The answer may take a while to come after the file has been found fresh enough.
    if (age > note.robotsMaxAge + SLACK_MS) this.#doubt(oldRobots, url, row, `its robots.txt was ${age} ms old`);
    const verdict = judge.judge(url);
    if (!verdict.allowed) this.#doubt(disallowed, url, row, `by ${verdict.rule ?? 'its robots.txt'}`);
  }

  /** Unless a robots.txt redirects to it: another file may say so, of another thread or node. */
  #doubt(finding: AuditFinding, url: string, row: number, what: string): void {
    this.#doubts.push({ finding, url, row, what });
    if (this.#doubts.length >= MOST_DOUBTS) this.#resolveDoubts();
  }

  #resolveDoubts(): void {
    for (const { finding, url, row, what } of this.#doubts.splice(0))
      if (!this.#robots.isTarget(url)) this.#log.note(finding, row, what);
  }

  report() {
    this.#resolveDoubts();
    const host = this.#log.pauses(this.#hosts.rows);
    const address = this.#owesAddress ? this.#log.pauses(this.#addresses.rows) : undefined;
    const domain = this.#owesDomain ? this.#log.pauses(this.#domains.rows) : undefined;
    return {
      requests: this.#log.length,
      ...{ hosts: this.#hosts.size, addresses: this.#addresses.size, domains: this.#domains.size },
      ...this.#log.span(),
      damaged: this.#damaged,
      statuses: this.#statuses,
      agents: this.#agents,
      robots: { origins: this.#robots.origins, oldestMs: this.#oldestMs },
      pauses: {
        host: withoutFinding(host),
        ...(address === undefined ? {} : { address: withoutFinding(address) }),
        ...(domain === undefined ? {} : { domain: withoutFinding(domain) }),
      },
      found: {
        ...this.#found,
        hostPause: host.tooShort,
        addressPause: address?.tooShort ?? noFinding(),
        domainPause: domain?.tooShort ?? noFinding(),
        parallel: this.#log.tooMany(this.#hosts.rows),
        retryAfter: this.#log.tooEarly(this.#hosts.rows),
      } satisfies Record<AuditCheck, AuditFinding>,
    };
  }
}

/** A crawl that broke the rules this often has done so whatever the rest says: memory is bounded. */
const MOST_DOUBTS = 100_000;

/** Between the look at a robots.txt and the request that followed from it. */
const SLACK_MS = 60_000;

/** Numbers names in the order in which they come; -1 for none. */
class Numbered {
  readonly rows: number[] = [];
  readonly #numbers = new Map<string, number>();

  get size(): number {
    return this.#numbers.size;
  }

  add(name: string | undefined): void {
    if (name === undefined) return void this.rows.push(-1);
    const number = this.#numbers.get(name) ?? this.#numbers.size;
    this.#numbers.set(name, number);
    this.rows.push(number);
  }
}

function withoutFinding({ tooShort: _tooShort, ...pauses }: PauseReport): Pauses {
  return pauses;
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}
