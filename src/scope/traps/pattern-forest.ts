import { registrableDomain } from '../../url/public-suffix.ts';
import { PatternAccount } from './pattern-account.ts';
import { type Allowances, PatternTree, type SavedTree } from './pattern-tree.ts';

export interface Located {
  readonly tree: PatternTree;
  readonly account: PatternAccount;
}

interface SavedForest {
  readonly domains: readonly (readonly [name: string, account: readonly unknown[]])[];
  readonly hosts: readonly (readonly [host: string, tree: SavedTree])[];
}

/** Beyond the bound so much is kept. */
const KEPT_SHARE = 0.8;
/** Groups of names: below the registrable domain, and below one label of it. */
const MOST_LEVELS = 2;

/** The patterns of all hosts, and of the names below one domain. Bounded: hosts that were not heard of for longest are forgotten. */
export class PatternForest {
  readonly #allowances: Allowances;
  readonly #patience: number;
  readonly #most: number;
  readonly #trees = new Map<string, PatternTree>();
  readonly #domains = new Map<string, PatternAccount>();
  #size = 0;
  /** Room is made when it has grown to this. */
  #full: number;
  #tick = 0;
  /** Links of one page mostly lead to one host. */
  #last: PatternTree | undefined;

  constructor(patience: number, most: number) {
    this.#patience = patience;
    this.#most = most;
    this.#full = most;
    this.#allowances = {
      leaf: patience,
      query: patience,
      folder: patience,
      host: patience * 4,
      domain: patience,
      parameter: patience,
      name: patience * 2,
    };
  }

  has(host: string): boolean {
    return this.#treeAt(host) !== undefined;
  }

  treeOf(host: string): PatternTree {
    let tree = this.#treeAt(host);
    if (tree === undefined) {
      tree = this.#plant(host);
      if (this.#size > this.#full) this.#forget(tree);
    }
    tree.usedAt = ++this.#tick;
    return tree;
  }

  leafOf(tree: PatternTree, url: string): PatternAccount {
    const before = tree.size;
    const leaf = tree.find(url, url.indexOf('/', 8), true);
    if (tree.size !== before) {
      this.#size += tree.size - before;
      if (this.#size > this.#full) this.#forget(tree);
    }
    return leaf;
  }

  /** The narrowest pattern that is known to hold the URL; nothing is made for it. */
  lookUp(url: string): Located | undefined {
    const start = url.charCodeAt(4) === 0x73 ? 8 : 7;
    const path = url.indexOf('/', start);
    const tree = this.#treeAt(url.slice(start, path));
    return tree === undefined ? undefined : { tree, account: tree.find(url, path, false) };
  }

  /** For a host that is not known, or was forgotten: it still lies in its domain. Nothing is kept of it. */
  unplanted(host: string): Located {
    const name = nameOf(host);
    const domain = registrableDomain(name);
    const above = groupsAbove(name, domain).map((group) => this.#domains.get(group));
    const tree = new PatternTree(host, domain ?? host, above.find(isDefined), this.#allowances);
    return { tree, account: tree.account };
  }

  *accounts(): Generator<PatternAccount> {
    yield* this.#domains.values();
    for (const tree of this.#trees.values()) yield* tree.accounts();
  }

  save(): SavedForest {
    return {
      domains: [...this.#domains].map(([name, account]) => [name, account.save()]),
      hosts: [...this.#trees.values()].map((tree) => [tree.host, tree.save()]),
    };
  }

  load(snapshot: object): void {
    this.#trees.clear();
    this.#domains.clear();
    this.#size = 0;
    this.#full = this.#most;
    this.#last = undefined;
    const { domains, hosts } = snapshot as Partial<SavedForest>;
    // The wider groups come first, for the narrower ones are made with them.
    for (const [name, account] of domains ?? []) this.#domain(name).load(account);
    for (const [host, saved] of hosts ?? []) {
      const tree = this.#plant(host);
      tree.load(saved);
      this.#size += tree.size - 1;
    }
  }

  #treeAt(host: string): PatternTree | undefined {
    if (this.#last?.host === host) return this.#last;
    const tree = this.#trees.get(host);
    if (tree !== undefined) this.#last = tree;
    return tree;
  }

  #plant(host: string): PatternTree {
    const name = nameOf(host);
    const domain = registrableDomain(name);
    const [narrowest] = groupsAbove(name, domain);
    const above = narrowest === undefined ? undefined : this.#domain(narrowest);
    const tree = new PatternTree(host, domain ?? host, above, this.#allowances);
    this.#trees.set(host, tree);
    this.#last = tree;
    this.#size++;
    return tree;
  }

  #domain(name: string): PatternAccount {
    const known = this.#domains.get(name);
    if (known !== undefined) return known;
    const above = registrableDomain(name);
    const up = above === undefined || above === name ? undefined : this.#domain(above);
    const account = new PatternAccount(`*.${name}/**`, 'domain', up, this.#allowances.domain);
    this.#domains.set(name, account);
    this.#size++;
    return account;
  }

  /**
   * First hosts of which nothing was held, the longest unused first; then the others; then domains, those with something
   * to tell last. Looks through everything, and so is not done again before a good part of it is new.
   */
  #forget(inUse: PatternTree): void {
    const trees = [...this.#trees.values()].filter((tree) => tree !== inUse);
    trees.sort((a, b) => Number(a.telling) - Number(b.telling) || a.usedAt - b.usedAt);
    const room = this.#most * KEPT_SHARE;
    for (const tree of trees) {
      if (this.#size <= room) break;
      this.#trees.delete(tree.host);
      this.#size -= tree.size;
    }
    const isUntold = (account: PatternAccount): boolean => !account.held && account.visits < this.#patience;
    for (const gives of [isUntold, isOpen, isAny]) this.#forgetDomains(room, gives);
    this.#last = undefined;
    this.#full = Math.max(this.#most, this.#size + this.#most - room);
  }

  /** The oldest first. */
  #forgetDomains(room: number, gives: (account: PatternAccount) => boolean): void {
    for (const [name, account] of this.#domains) {
      if (this.#size <= room) return;
      if (!gives(account)) continue;
      this.#domains.delete(name);
      this.#size--;
    }
  }
}

function isOpen({ held }: PatternAccount): boolean {
  return !held;
}

function isAny(): boolean {
  return true;
}

function isDefined(account: PatternAccount | undefined): boolean {
  return account !== undefined;
}

/** Without the port. */
function nameOf(host: string): string {
  return host.startsWith('[') ? host : host.split(':', 1)[0];
}

/** The groups of names that a host belongs to, the narrowest first. The domain itself and its www belong to none. */
function groupsAbove(name: string, domain: string | undefined): readonly string[] {
  if (domain === undefined || name === domain || name === `www.${domain}`) return [];
  const labels = name.slice(0, name.length - domain.length - 1).split('.');
  const deepest = Math.min(labels.length, MOST_LEVELS) - 1;
  return Array.from({ length: deepest + 1 }, (_, up) =>
    [...labels.slice(labels.length - (deepest - up)), domain].join('.'),
  );
}
