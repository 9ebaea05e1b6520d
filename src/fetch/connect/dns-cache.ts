import type { Clock } from '../../base/clock.ts';
import { SingleFlight } from '../../base/single-flight.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import type { DnsRecord, DnsResolver } from './dns-resolvers.ts';
import type { HostsFile } from './hosts-file.ts';

/** `found` may grow: addresses of the second family are added when they arrive, after `rest`. */
export type DnsAnswer =
  | { readonly kind: 'found'; readonly addresses: readonly string[]; readonly rest?: Promise<void> }
  | { readonly kind: 'not-found'; readonly detail: string }
  | { readonly kind: 'failed'; readonly detail: string };

/** `auto` asks for both kinds and tries IPv4 first. */
export type IpFamily = 'auto' | 'ipv4' | 'ipv6' | 'ipv4-first' | 'ipv6-first';

export interface DnsCacheOptions {
  readonly family?: IpFamily;
  readonly ttlMinMs?: number;
  readonly ttlMaxMs?: number;
  /** How long a name that does not exist, or has no address, is remembered as such. */
  readonly notFoundMs?: number;
  /** How long a failure to find out is remembered: long enough not to hammer a sick server. */
  readonly failedMs?: number;
  readonly maxEntries?: number;
  /** After this long the first resolver is tried again. */
  readonly failbackMs?: number;
  /** Names with a fixed address. */
  readonly hosts?: Readonly<Record<string, string>>;
}

export interface DnsCounters {
  hits: number;
  misses: number;
  /** Callers who joined a query under way. */
  coalesced: number;
  notFound: number;
  failed: number;
  /** Names looked up before anybody waited for them. */
  ahead: number;
  /** Summed waits of the callers that had to wait. */
  waitMs: number;
}

interface AnswerSnapshot {
  readonly answer: DnsAnswer;
  readonly refreshAt: number;
}

interface FamilyAnswer {
  readonly records: readonly DnsRecord[];
  readonly failure?: { readonly kind: 'not-found' | 'failed'; readonly detail: string };
}

/** From this share of its time on, an answer that is used is asked for again, so that nobody waits when it runs out. */
const REFRESH_AT = 0.8;

/** A server that has not answered by then is taken for one that is down, and the next is asked beside it. */
const PATIENCE_MS = 500;
/** Whoever has not answered by then will not: a resolver by itself tries for minutes, and a request would wait with it. */
const QUERY_MS = 15_000;

/** Answers that say something about the name. Everything else says something about the servers. */
const NOT_FOUND_CODES: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Names to addresses, asynchronously and remembered.
 * Invariants: at most one query per name and family is under way; the cache never holds more than `maxEntries` names;
 * an answer is kept no shorter than the floor and no longer than the ceiling.
 */
export class DnsCache {
  readonly counters: DnsCounters = {
    hits: 0,
    misses: 0,
    coalesced: 0,
    notFound: 0,
    failed: 0,
    ahead: 0,
    waitMs: 0,
  };
  readonly #resolvers: readonly DnsResolver[];
  readonly #clock: Clock;
  readonly #hostsFile: HostsFile | undefined;
  readonly #options: Required<DnsCacheOptions>;
  readonly #answers: TtlCache<string, AnswerSnapshot>;
  readonly #flights = new SingleFlight<string, DnsAnswer>();
  #lead = 0;
  #leadUntil = 0;

  constructor(
    resolvers: readonly DnsResolver[],
    options: DnsCacheOptions,
    deps: { readonly clock: Clock; readonly hostsFile?: HostsFile },
  ) {
    this.#resolvers = resolvers;
    this.#clock = deps.clock;
    this.#hostsFile = deps.hostsFile;
    this.#options = {
      family: options.family ?? 'auto',
      ttlMinMs: options.ttlMinMs ?? 60_000,
      ttlMaxMs: options.ttlMaxMs ?? 86_400_000,
      notFoundMs: options.notFoundMs ?? 300_000,
      failedMs: options.failedMs ?? 30_000,
      maxEntries: options.maxEntries ?? 200_000,
      failbackMs: options.failbackMs ?? 60_000,
      hosts: options.hosts ?? {},
    };
    this.#answers = new TtlCache(this.#clock, this.#options.maxEntries);
  }

  /** Never rejects. `hostname` is a name, not a literal address. */
  async resolve(hostname: string): Promise<DnsAnswer> {
    const name = plainName(hostname);
    const known = this.#answers.get(name);
    if (known !== undefined) {
      this.counters.hits++;
      if (this.#clock.now() >= known.refreshAt) void this.lookAhead(name);
      return known.answer;
    }
    const startedAt = this.#clock.now();
    if (this.#flights.current(name) === undefined) this.counters.misses++;
    else this.counters.coalesced++;
    const answer = await this.#flights.run(name, () => this.#find(name));
    this.counters.waitMs += this.#clock.now() - startedAt;
    return answer;
  }

  /** Resolves a name that will be wanted soon. Whatever is known of it, unless brand-new, is asked for again. */
  async lookAhead(hostname: string): Promise<DnsAnswer> {
    const name = plainName(hostname);
    const known = this.#answers.get(name);
    if (known !== undefined && this.#clock.now() < known.refreshAt) return known.answer;
    if (this.#flights.current(name) === undefined) this.counters.ahead++;
    return this.#flights.run(name, () => this.#find(name));
  }

  /** Ends queries under way; they answer as failed. */
  close(): void {
    for (const resolver of this.#resolvers) resolver.cancel?.();
  }

  async #find(name: string): Promise<DnsAnswer> {
    if (Object.hasOwn(this.#options.hosts, name)) return { kind: 'found', addresses: [this.#options.hosts[name]] };
    const inFile = await this.#hostsFile?.lookup(name);
    if (inFile !== undefined) return { kind: 'found', addresses: this.#inOrder(inFile) };
    if (isLocalhostName(name)) return { kind: 'found', addresses: this.#inOrder(['127.0.0.1', '::1']) };
    if (name.endsWith('.onion') || name.endsWith('.invalid')) {
      return { kind: 'not-found', detail: 'a name outside the DNS' };
    }
    return this.#ask(name);
  }

  async #ask(name: string): Promise<DnsAnswer> {
    const [first, second] = familiesOf(this.#options.family);
    const other = second === undefined ? undefined : this.#query(name, second);
    const preferred = await this.#query(name, first);
    if (preferred.records.length > 0) {
      // Servers that never answer for the other family are common: it is not waited for.
      const addresses = preferred.records.map((record) => record.address);
      const rest = other?.then((late) => {
        for (const record of late.records) addresses.push(record.address);
      });
      return this.#keep(name, { kind: 'found', addresses, rest }, this.#ttl(preferred.records));
    }
    const fallback = await other;
    if (fallback !== undefined && fallback.records.length > 0) {
      const addresses = fallback.records.map((record) => record.address);
      return this.#keep(name, { kind: 'found', addresses }, this.#ttl(fallback.records));
    }
    // Only when every family says so does the name not exist.
    const failure =
      [preferred.failure, fallback?.failure].find((one) => one?.kind === 'failed') ?? preferred.failure ?? NO_ADDRESS;
    const notFound = failure.kind === 'not-found';
    this.counters[notFound ? 'notFound' : 'failed']++;
    // A server that cannot answer now takes nothing back: what is known stays good for its time.
    const known = notFound ? undefined : this.#answers.get(name);
    if (known?.answer.kind === 'found') return known.answer;
    return this.#keep(name, failure, notFound ? this.#options.notFoundMs : this.#options.failedMs);
  }

  /**
   * Asks the resolvers in turn until one answers for the name, beginning with the one that answered last. A resolver that
   * is silent is not waited for: the next is asked as well, and the first answer counts.
   */
  #query(name: string, family: 4 | 6): Promise<FamilyAnswer> {
    const count = this.#resolvers.length;
    if (this.#lead !== 0 && this.#clock.now() >= this.#leadUntil) this.#lead = 0;
    const lead = this.#lead;
    return new Promise((settle) => {
      let asked = 0;
      let open = 0;
      const settled = new AbortController();
      const resolve = (answer: FamilyAnswer): void => {
        settled.abort();
        settle(answer);
      };
      void this.#clock.sleep(QUERY_MS, settled.signal).then(() => {
        asked = count;
        resolve({ records: [], failure: { kind: 'failed', detail: 'ETIMEOUT' } });
      });
      const askNext = (): void => {
        const nth = asked++;
        const turn = (lead + nth) % count;
        const answered = new AbortController();
        open++;
        if (asked < count) {
          void this.#clock.sleep(PATIENCE_MS, answered.signal).then(() => {
            if (!answered.signal.aborted && asked === nth + 1) askNext();
          });
        }
        void askOne(this.#resolvers[turn], name, family).then((answer) => {
          answered.abort();
          open--;
          if (answer.failure?.kind !== 'failed') {
            asked = count;
            this.#follow(turn);
            resolve(answer);
          } else if (asked === nth + 1 && asked < count) askNext();
          else if (open === 0) resolve(answer);
        });
      };
      if (count > 0) askNext();
      else resolve({ records: [], failure: { kind: 'failed', detail: 'no resolver' } });
    });
  }

  #follow(turn: number): void {
    if (turn === this.#lead) return;
    this.#lead = turn;
    this.#leadUntil = this.#clock.now() + this.#options.failbackMs;
  }

  #keep(name: string, answer: DnsAnswer, ttlMs: number): DnsAnswer {
    const refreshAt = answer.kind === 'found' ? this.#clock.now() + REFRESH_AT * ttlMs : Number.POSITIVE_INFINITY;
    this.#answers.set(name, { answer, refreshAt }, ttlMs);
    return answer;
  }

  #ttl(records: readonly DnsRecord[]): number {
    const shortest = records.reduce((least, record) => Math.min(least, record.ttl), Number.POSITIVE_INFINITY) * 1000;
    return Math.min(Math.max(shortest, this.#options.ttlMinMs), this.#options.ttlMaxMs);
  }

  #inOrder(addresses: readonly string[]): string[] {
    return familiesOf(this.#options.family).flatMap((family) =>
      addresses.filter((address) => address.includes(':') === (family === 6)),
    );
  }
}

/** What one resolver says; never rejects. */
async function askOne(resolver: DnsResolver, name: string, family: 4 | 6): Promise<FamilyAnswer> {
  try {
    const records =
      family === 4 ? await resolver.resolve4(name, { ttl: true }) : await resolver.resolve6(name, { ttl: true });
    return records.length > 0 ? { records } : { records, failure: NO_ADDRESS };
  } catch (error) {
    const detail = (error as { code?: string }).code ?? 'unknown error';
    return { records: [], failure: { kind: NOT_FOUND_CODES.has(detail) ? 'not-found' : 'failed', detail } };
  }
}

const NO_ADDRESS = { kind: 'not-found', detail: 'no address' } as const;

function familiesOf(family: IpFamily): readonly (4 | 6)[] {
  if (family === 'ipv4') return [4];
  if (family === 'ipv6') return [6];
  return family === 'ipv6-first' ? [6, 4] : [4, 6];
}

/** RFC 6761: these never leave the machine. */
export function isLocalhostName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

function plainName(hostname: string): string {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return name.toLowerCase();
}
