import { OrbweaverError } from '../base/errors.ts';
import { finish, NameTable } from './name-table.ts';
import { SupporterCounts } from './supporter-counts.ts';

/** What a domain has to begin with, what each supporting domain adds, and the most that this can lead to. */
export interface Growth {
  readonly base: number;
  readonly perDomain: number;
  readonly most: number;
}

/** Pages of a registrable domain, and hosts below it. */
export interface DomainBudgetOptions extends Growth {
  readonly hosts: Growth;
  /** Beyond this many, seeds not counted, the least telling eighth is forgotten. About 100 bytes each. */
  readonly maxDomains?: number;
  /** Any number that strangers cannot guess; else they could choose names that count for many. */
  readonly seed?: number;
}

export interface DomainReport {
  readonly domain: string;
  /** Other domains that link to it; about this many where there are more than eight. */
  readonly supporters: number;
  readonly spent: number;
  readonly allowance: number;
  readonly hosts: number;
  readonly hostAllowance: number;
  readonly exempt: boolean;
}

const DEFAULT_MAX_DOMAINS = 1_000_000;
const VERSION = 1;
const WORD = 2 ** 32;
/** Where more tells no more. */
const TELLING = 0xffff;

interface Snapshot {
  readonly version: typeof VERSION;
  readonly seed: number;
  /** Columns, a row for each domain, in base64. */
  readonly hashes: string;
  readonly supporters: string;
  readonly held: string;
  readonly spent: string;
  readonly hosts: string;
  readonly exempt: string;
  /** A line each, empty where the name is not kept. */
  readonly names: string;
  readonly hostHashes: string;
}

/**
 * How much of a registrable domain is worth fetching: the more other domains link to it, the more. A site can make up as
 * many pages and hosts as it likes, but not other people's links; domains cost money.
 *
 * Invariants: allowances depend on the set of supporting domains alone, not on the order of links or how often they come,
 * and never fall (but for domains that were forgotten); a domain's own links count nothing. Memory is bounded.
 */
export class DomainBudgets {
  readonly #options: DomainBudgetOptions;
  readonly #maxDomains: number;
  #seed: number;
  #domains: NameTable;
  #supporters = new SupporterCounts();
  #spent = new Uint32Array(0);
  #hosts = new Uint32Array(0);
  #exempt = new Uint8Array(0);
  #exempts = 0;
  /** Of those that were visited or refused a host: what a report can tell. */
  #names: (string | undefined)[] = [];
  /** Hosts that were let in. */
  #hostTable: NameTable;
  /** All links of a page come from one domain. */
  #from = '';
  #fromLow = 0;
  #fromHigh = 0;

  constructor(options: DomainBudgetOptions) {
    this.#options = options;
    this.#maxDomains = options.maxDomains ?? DEFAULT_MAX_DOMAINS;
    this.#seed = options.seed ?? 0;
    this.#domains = new NameTable(this.#seed);
    this.#hostTable = new NameTable(this.#seed);
  }

  /** Domains that are remembered. */
  get size(): number {
    return this.#domains.size;
  }

  /** Without the names, which are some 40 bytes each. */
  get bytes(): number {
    const columns = this.#spent.byteLength + this.#hosts.byteLength + this.#exempt.byteLength;
    return this.#domains.bytes + this.#hostTable.bytes + this.#supporters.bytes + columns;
  }

  /**
   * A page of one registrable domain links to another. A link of weight w counts with the chance w, and a pair of domains
   * always draws the same lot: sums come out right over many, nothing more need be kept, and the best link of a pair
   * decides. True when the other domain had used up its pages and now may have more.
   */
  support(fromDomain: string, toDomain: string, weight = 1): boolean {
    if (fromDomain === toDomain || !(weight > 0)) return false;
    const domains = this.#domains;
    if (fromDomain !== this.#from) {
      domains.hash(fromDomain);
      this.#from = fromDomain;
      this.#fromLow = domains.low;
      this.#fromHigh = domains.high;
    }
    domains.hash(toDomain);
    if (weight < 1 && finish(this.#fromHigh ^ domains.low) >= weight * WORD) return false;
    const row = this.#rowOf(domains.low, domains.high);
    const full = this.#spent[row] >= this.#allowanceOf(row);
    return this.#supporters.add(row, this.#fromLow) && full && this.#spent[row] < this.#allowanceOf(row);
  }

  /**
   * Seeds: their user has asked for them. Pages without limit, at once as many hosts as any domain can have, and the host of the seed in
   * any case, which counts for nothing.
   */
  exempt(domain: string, host: string): void {
    const row = this.#row(domain);
    if (this.#hostTable.find(host) < 0) this.#hostTable.add(host);
    if (this.#exempt[row] === 1) return;
    this.#exempt[row] = 1;
    this.#exempts++;
  }

  supporters(domain: string): number {
    const row = this.#domains.find(domain);
    return row < 0 ? 0 : this.#supporters.of(row);
  }

  allowance(domain: string): number {
    const row = this.#domains.find(domain);
    return row < 0 ? grown(this.#options, 0) : this.#allowanceOf(row);
  }

  hostAllowance(domain: string): number {
    const row = this.#domains.find(domain);
    return row < 0 ? grown(this.#options.hosts, 0) : this.#hostAllowanceOf(row);
  }

  spent(domain: string): number {
    const row = this.#domains.find(domain);
    return row < 0 ? 0 : this.#spent[row];
  }

  /** A page of the domain was fetched. */
  spend(domain: string): void {
    const row = this.#row(domain);
    this.#spent[row]++;
    this.#names[row] ??= domain;
  }

  hasRoom(domain: string): boolean {
    const row = this.#domains.find(domain);
    return row < 0 ? grown(this.#options, 0) > 0 : this.#spent[row] < this.#allowanceOf(row);
  }

  /** Whether the host was let in: then `newHost` lets it in again, and changes nothing. */
  hasMet(host: string): boolean {
    return this.#hostTable.find(host) >= 0;
  }

  /** Whether this host of the domain may be met. One that was let in before always may, and counts once. */
  newHost(domain: string, host: string): boolean {
    if (this.#hostTable.find(host) >= 0) return true;
    const row = this.#row(domain);
    this.#names[row] ??= domain;
    if (this.#hosts[row] >= this.#hostAllowanceOf(row)) return false;
    this.#hosts[row]++;
    this.#hostTable.add(host);
    return true;
  }

  /** Most telling first: those without room, then those that cost the most. */
  report(limit: number): readonly DomainReport[] {
    const rows: number[] = [];
    for (let row = 0; row < this.#domains.size; row++) if (this.#names[row] !== undefined) rows.push(row);
    const held = (row: number): number =>
      this.#spent[row] >= this.#allowanceOf(row) || this.#hosts[row] >= this.#hostAllowanceOf(row) ? 1 : 0;
    rows.sort((a, b) => held(b) - held(a) || this.#spent[b] - this.#spent[a] || this.#hosts[b] - this.#hosts[a]);
    return rows.slice(0, limit).map((row) => ({
      domain: this.#names[row] as string,
      supporters: this.#supporters.of(row),
      spent: this.#spent[row],
      allowance: this.#allowanceOf(row),
      hosts: this.#hosts[row],
      hostAllowance: this.#hostAllowanceOf(row),
      exempt: this.#exempt[row] === 1,
    }));
  }

  /** Plain JSON; what `restore` takes. Some 70 bytes a domain, and 11 a host. */
  snapshot(): unknown {
    const size = this.#domains.size;
    const [supporters, held] = this.#supporters.columns(size);
    return {
      version: VERSION,
      seed: this.#seed,
      hashes: packed(this.#domains.hashes()),
      supporters: packed(supporters),
      held: packed(held),
      spent: packed(this.#spent.slice(0, size)),
      hosts: packed(this.#hosts.slice(0, size)),
      exempt: packed(this.#exempt.slice(0, size)),
      names: Array.from({ length: size }, (_, row) => this.#names[row] ?? '').join('\n'),
      hostHashes: packed(this.#hostTable.hashes()),
    } satisfies Snapshot;
  }

  /** Replaces everything known. What a domain may have follows from the options of now. */
  restore(snapshot: unknown): void {
    const { version, ...kept } = snapshot as Snapshot;
    if (version !== VERSION)
      throw new OrbweaverError('FOLDER_CORRUPT', 'The budgets of the domains were kept in a form that is not known.');
    this.#seed = kept.seed;
    this.#from = '';
    this.#domains = new NameTable(this.#seed);
    this.#domains.addHashes(words(kept.hashes));
    this.#supporters = new SupporterCounts();
    this.#supporters.fill(words(kept.supporters), bytes(kept.held));
    this.#spent = words(kept.spent);
    this.#hosts = words(kept.hosts);
    this.#exempt = bytes(kept.exempt);
    this.#exempts = this.#exempt.reduce((sum, one) => sum + one, 0);
    this.#names = kept.names.split('\n').map((name) => (name === '' ? undefined : name));
    this.#hostTable = new NameTable(this.#seed);
    this.#hostTable.addHashes(words(kept.hostHashes));
  }

  #allowanceOf(row: number): number {
    return this.#exempt[row] === 1 ? Number.POSITIVE_INFINITY : grown(this.#options, this.#supporters.of(row));
  }

  #hostAllowanceOf(row: number): number {
    const { hosts } = this.#options;
    return this.#exempt[row] === 1 ? hosts.most : grown(hosts, this.#supporters.of(row));
  }

  #row(domain: string): number {
    this.#domains.hash(domain);
    return this.#rowOf(this.#domains.low, this.#domains.high);
  }

  #rowOf(low: number, high: number): number {
    const size = this.#domains.size;
    const row = this.#domains.addHash(low, high);
    if (row < size) return row;
    if (size >= this.#maxDomains + this.#exempts) {
      this.#forget(size);
      return this.#rowOf(low, high);
    }
    if (row >= this.#spent.length) this.#widen(this.#domains.capacity);
    return row;
  }

  #widen(rows: number): void {
    const [spent, hosts, exempt] = [this.#spent, this.#hosts, this.#exempt];
    this.#spent = new Uint32Array(rows);
    this.#hosts = new Uint32Array(rows);
    this.#exempt = new Uint8Array(rows);
    this.#spent.set(spent);
    this.#hosts.set(hosts);
    this.#exempt.set(exempt);
    this.#supporters.reserve(rows);
  }

  /** Drops an eighth of the rows: those hardly linked to and hardly visited; of equals the oldest. Seeds stay. */
  #forget(size: number): void {
    const telling = (row: number): number =>
      Math.min(TELLING, this.#supporters.of(row) + this.#spent[row] + this.#hosts[row]);
    const having = new Uint32Array(TELLING + 1);
    for (let row = 0; row < size; row++) if (this.#exempt[row] === 0) having[telling(row)]++;
    let excess = Math.max(1, (size - this.#exempts) >> 3);
    let least = 0;
    while (having[least] < excess) excess -= having[least++];
    const hashes = this.#domains.hashes();
    const names: (string | undefined)[] = [];
    let kept = 0;
    for (let row = 0; row < size; row++) {
      const tells = this.#exempt[row] === 1 ? TELLING + 1 : telling(row);
      if (tells < least || (tells === least && excess-- > 0)) continue;
      hashes.copyWithin(2 * kept, 2 * row, 2 * row + 2);
      this.#supporters.move(row, kept);
      this.#spent[kept] = this.#spent[row];
      this.#hosts[kept] = this.#hosts[row];
      this.#exempt[kept] = this.#exempt[row];
      names[kept++] = this.#names[row];
    }
    this.#supporters.clear(kept);
    this.#spent.fill(0, kept);
    this.#hosts.fill(0, kept);
    this.#exempt.fill(0, kept);
    this.#names = names;
    this.#domains = new NameTable(this.#seed, this.#domains.capacity);
    this.#domains.addHashes(hashes.subarray(0, 2 * kept));
  }
}

function grown({ base, perDomain, most }: Growth, supporters: number): number {
  return Math.max(base, Math.min(most, base + perDomain * supporters));
}

function packed(column: Uint32Array | Uint8Array): string {
  return Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString('base64');
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(text, 'base64'));
}

function words(text: string): Uint32Array<ArrayBuffer> {
  return new Uint32Array(bytes(text).buffer);
}
