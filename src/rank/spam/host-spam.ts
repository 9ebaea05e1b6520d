import type { SpamScore, SpamSign, SpamTechnique } from '../../contracts/content/spam.ts';
import { combineSigns, SPAM_FROM } from './spam-score.ts';

interface HostRecord {
  pages: number;
  /** Sum of the scores of its pages. */
  sum: number;
  spamPages: number;
  /** The strongest sign of each technique among its pages. */
  signs: Signs;
  /** Signs of the host itself: link farms, cloaking. */
  own: Signs;
}

type Signs = ReadonlyMap<SpamTechnique, SpamSign>;

/** Shared by honest hosts, which most are: a map of their own would take more than the rest of their record. */
const NO_SIGNS: Signs = new Map();

export interface HostSpamOptions {
  /** Hosts that are remembered; beyond, those without any sign are forgotten first. */
  readonly maxHosts?: number;
}

/** Honest pages that every host is given in advance: one bad page makes no bad host. */
const ASSUMED_HONEST = 2;
const FORM = 1;

type Snapshot = {
  readonly form: number;
  readonly hosts: readonly (readonly [string, number, number, number, readonly SpamSign[], readonly SpamSign[]])[];
};

/** What the pages of a host, and the host among others, say of it. Memory is bounded. */
export class HostSpam {
  readonly #hosts = new Map<string, HostRecord>();
  readonly #maxHosts: number;

  constructor({ maxHosts = 200_000 }: HostSpamOptions = {}) {
    this.#maxHosts = Math.max(1, maxHosts);
  }

  get size(): number {
    return this.#hosts.size;
  }

  /** A page of the host has been read. Without its signs only the host's score is known afterwards, not its evidence. */
  observe(host: string, pageScore: SpamScore | number): void {
    const { score, signs } = typeof pageScore === 'number' ? { score: pageScore, signs: [] } : pageScore;
    const record = this.#recordOf(host);
    record.pages++;
    record.sum += score;
    if (score >= SPAM_FROM) record.spamPages++;
    for (const sign of signs) {
      const before = record.signs.get(sign.technique);
      if (before === undefined || before.weight < sign.weight)
        record.signs = new Map(record.signs).set(sign.technique, sign);
    }
  }

  /** A sign of the host as a whole takes the place of an earlier one of its technique; `undefined` withdraws it. */
  setOwnSign(host: string, technique: SpamTechnique, sign: SpamSign | undefined): void {
    if (sign !== undefined) {
      const record = this.#recordOf(host);
      record.own = new Map(record.own).set(technique, sign);
      return;
    }
    const record = this.#hosts.get(host);
    if (record?.own.has(technique) !== true) return;
    const left = [...record.own].filter(([other]) => other !== technique);
    record.own = left.length === 0 ? NO_SIGNS : new Map(left);
  }

  /** Hosts that count as spam, the surest first. */
  worst(limit: number): readonly { readonly host: string; readonly spam: SpamScore }[] {
    const found: { host: string; spam: SpamScore }[] = [];
    for (const [host, { signs, own }] of this.#hosts) {
      if (signs.size + own.size === 0) continue;
      const spam = this.of(host);
      if (spam !== undefined && spam.score >= SPAM_FROM) found.push({ host, spam });
    }
    return found.sort((a, b) => b.spam.score - a.spam.score).slice(0, limit);
  }

  /** Undefined where no page of the host has been seen and nothing is known of it. */
  of(host: string): SpamScore | undefined {
    const record = this.#hosts.get(host);
    if (record === undefined) return undefined;
    const share = shareOf(record);
    const own = [...record.own.values()];
    // Its pages' signs speak for the host as far as its pages have them.
    const signs = [...record.signs.values()]
      .map((sign) => ({
        ...sign,
        weight: Math.round(1000 * Math.min(sign.weight, share)) / 1000,
        evidence: `${record.spamPages} of ${record.pages} pages are spam, such as: ${sign.evidence}`,
      }))
      .sort((a, b) => b.weight - a.weight);
    return {
      score: scoreOf(record, combineSigns(own).score),
      signs: [...own, ...signs].sort((a, b) => b.weight - a.weight),
    };
  }

  /** The score alone, which is asked for with every page; 0 where nothing is known of the host. */
  scoreOf(host: string): number {
    const record = this.#hosts.get(host);
    if (record === undefined) return 0;
    return scoreOf(record, record.own.size === 0 ? 0 : combineSigns([...record.own.values()]).score);
  }

  snapshot(): unknown {
    const hosts = [...this.#hosts].map(
      ([host, { pages, sum, spamPages, signs, own }]) =>
        [host, pages, Math.round(sum * 1000) / 1000, spamPages, [...signs.values()], [...own.values()]] as const,
    );
    return { form: FORM, hosts } satisfies Snapshot;
  }

  restore(snapshot: unknown): void {
    const { form, hosts } = (snapshot ?? {}) as Partial<Snapshot>;
    if (form !== FORM || !Array.isArray(hosts)) return;
    this.#hosts.clear();
    for (const [host, pages, sum, spamPages, signs, own] of hosts as Snapshot['hosts'])
      this.#hosts.set(host, { pages, sum, spamPages, signs: byTechnique(signs), own: byTechnique(own) });
  }

  #recordOf(host: string): HostRecord {
    let record = this.#hosts.get(host);
    if (record === undefined) {
      if (this.#hosts.size >= this.#maxHosts) this.#makeRoom();
      record = { pages: 0, sum: 0, spamPages: 0, signs: NO_SIGNS, own: NO_SIGNS };
      this.#hosts.set(host, record);
    }
    return record;
  }

  /** Forgets a tenth: the oldest hosts without signs, then the oldest of all. */
  #makeRoom(): void {
    let toDrop = Math.max(1, Math.ceil(this.#maxHosts / 10));
    for (const clean of [true, false]) {
      for (const [host, record] of this.#hosts) {
        if (toDrop === 0) return;
        if (clean && record.signs.size + record.own.size > 0) continue;
        this.#hosts.delete(host);
        toDrop--;
      }
    }
  }
}

/** How far its pages speak against it. */
function shareOf({ sum, pages }: HostRecord): number {
  return sum / (pages + ASSUMED_HONEST);
}

function scoreOf(record: HostRecord, ownScore: number): number {
  return Math.round(1000 * (1 - (1 - ownScore) * (1 - shareOf(record)))) / 1000;
}

function byTechnique(signs: readonly SpamSign[]): Signs {
  return signs.length === 0 ? NO_SIGNS : new Map(signs.map((sign) => [sign.technique, sign]));
}
