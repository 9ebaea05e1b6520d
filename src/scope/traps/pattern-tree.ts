import { type AccountKind, NO_TRAITS, PatternAccount } from './pattern-account.ts';
import {
  folderKey,
  hasLetter,
  mix,
  nameOf,
  namesText,
  pageKey,
  pageName,
  queryNames,
  STAR_KEY,
  type UrlParts,
} from './url-shape.ts';

/** Literal names kept in a folder, by how deep it lies; further names are told apart no more and become `*`. */
const MOST_NAMES = [48, 24, 12, 8];
/** Below a `*` fewer are needed: what tells apart there is mostly the same few words. */
const NAMES_BELOW_STAR = 8;
const MOST_FOLDERS_DEEP = 8;
/** Pages of one folder that take queries and are told apart by name. */
const MOST_PROGRAMS = 16;
const MOST_LEAVES = 256;
const MOST_TRAITS = 64;
/** Of one host; beyond it nothing new is told apart. */
const MOST_ACCOUNTS = 2000;

const LONGEST_EXTENSION = 5;
/** Names longer than this are titles or noise, never the name of a section. */
const LONGEST_NAME = 40;

const SLASH = 0x2f;
const QUESTION = 0x3f;
const DOT = 0x2e;

/** How much a pattern may cost before it must have brought something. */
export type Allowances = Readonly<Record<AccountKind, number>>;

interface Folder {
  readonly name: string;
  /** With the slash at its end. */
  readonly path: string;
  readonly depth: number;
  readonly literal: boolean;
  readonly account: PatternAccount;
  /** Made when there is something to hold: most folders have either. */
  folders?: Map<number, Folder>;
  leaves?: Map<number, PatternAccount>;
  /** Leaves that are named. */
  programs: number;
}

/** A folder with everything below it, as plain arrays. */
export type SavedFolder = readonly [
  name: string,
  key: number,
  account: readonly unknown[],
  leaves: readonly (readonly [key: number, path: string, up: number, account: readonly unknown[]])[],
  folders: readonly SavedFolder[],
];

export type SavedTree = readonly [
  root: SavedFolder,
  traits: readonly (readonly [name: string, account: readonly unknown[]])[],
  supporters: readonly (readonly [domain: string, links: number])[],
  endless: number,
];

/**
 * The URLs of one host, sorted into patterns by the shape of their paths: numbers and hexadecimal ids stand for each other
 * at once, words once a folder has shown more of them than a site has sections. Finding the pattern of a URL is one pass
 * over its characters; nothing is cut out of it unless the pattern is new.
 */
export class PatternTree {
  readonly host: string;
  /** The registrable domain, or the host where there is none. */
  readonly domain: string;
  readonly #allowances: Allowances;
  readonly #root: Folder;
  /** These two are made when there is something to hold. */
  #traits: Map<string, PatternAccount> | undefined;
  /** Accounts held. */
  size = 1;
  /** For the choice of what to forget. */
  usedAt = 0;
  /** Something of it has been slowed down or held. */
  telling = false;
  /** Pages of new content that led to ever more, in parts of such a page. */
  endless = 0;
  /** How many links from other domains have counted, and of each. */
  supports = 0;
  #supporters: Map<string, number> | undefined;

  constructor(host: string, domain: string, above: PatternAccount | undefined, allowances: Allowances) {
    this.host = host;
    this.domain = domain;
    this.#allowances = allowances;
    const account = new PatternAccount(`${host}/**`, 'host', above, allowances.host);
    this.#root = newFolder('', `${host}/`, 0, true, account);
  }

  get account(): PatternAccount {
    return this.#root.account;
  }

  /** The pattern of a URL. Without `create`: the narrowest group that is known to hold it. `at`: where its path begins. */
  find(url: string, at: number, create: boolean): PatternAccount {
    let folder = this.#root;
    let start = at + 1;
    let hash = 0;
    let digits = 0;
    let hexLetters = 0;
    let others = 0;
    let dot = -1;
    let end = start;
    for (; end < url.length; end++) {
      const code = url.charCodeAt(end);
      if (code === QUESTION) break;
      if (code === SLASH) {
        // The last segment of /a/b/ is b.
        if (end + 1 === url.length || url.charCodeAt(end + 1) === QUESTION) break;
        if (folder.depth < MOST_FOLDERS_DEEP) {
          const key = folderKey(hash, end - start, digits, hexLetters, others);
          const next = this.#step(folder, key, url, start, end, create);
          if (next === undefined) return folder.account;
          folder = next;
        }
        start = end + 1;
        hash = digits = hexLetters = others = 0;
        dot = -1;
        continue;
      }
      hash = (Math.imul(hash, 31) + code) | 0;
      if (code >= 0x30 && code <= 0x39) digits++;
      else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66) hexLetters++;
      else if (code === DOT) dot = end;
      else if (code !== 0x2d && code !== 0x5f && code !== 0x3a) others++;
    }
    const slash = url.charCodeAt(end) === SLASH;
    const query = slash ? end + 1 : end;
    if (dot > start && end - dot - 1 <= LONGEST_EXTENSION && hasLetter(url, dot + 1, end)) {
      // The extension says nothing of what the name is made of: count it out.
      for (let i = dot + 1; i < end; i++) {
        const code = url.charCodeAt(i);
        if (code >= 0x30 && code <= 0x39) digits--;
        else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66) hexLetters--;
        else if (code !== 0x2d && code !== 0x5f && code !== 0x3a) others--;
      }
    } else dot = -1;
    const nameEnd = dot === -1 ? end : dot;
    const shape =
      start === end ? 0 : pageKey(url, nameEnd, folderKey(STAR_KEY, nameEnd - start, digits, hexLetters, others));
    let tail = shape * 4 + (slash ? 1 : 0);
    for (let i = dot; i !== -1 && i < end; i++) tail = (Math.imul(tail, 31) + url.charCodeAt(i)) | 0;
    if (query >= url.length) return this.#leaf(folder, mix(tail), url, { start, nameEnd, end, slash, query }, create);
    return this.#queried(folder, shape, hash, tail, url, { start, nameEnd, end, slash, query }, create);
  }

  /** What the parameters of a URL bring on whatever page of the host. */
  traitsOf(url: string, create: boolean): readonly PatternAccount[] {
    const query = url.indexOf('?');
    if (query === -1) return NO_TRAITS;
    const found = new Set<PatternAccount>();
    for (const parameter of url.slice(query + 1).split('&')) {
      const account = this.#trait(`?${parameter.split('=', 1)[0]}`, create);
      if (account !== undefined) found.add(account);
    }
    return [...found];
  }

  /** Whether one more link from this domain counts: each domain has this many, and of this many domains at most. */
  supportedBy(domain: string, perDomain: number, mostDomains: number): boolean {
    this.#supporters ??= new Map();
    const links = this.#supporters.get(domain) ?? 0;
    if (links >= perDomain || (links === 0 && this.#supporters.size >= mostDomains)) return false;
    this.#supporters.set(domain, links + 1);
    this.supports++;
    return true;
  }

  *accounts(): Generator<PatternAccount> {
    yield* this.#traits?.values() ?? [];
    yield* accountsBelow(this.#root);
  }

  save(): SavedTree {
    const traits = [...(this.#traits ?? [])].map(([name, account]) => [name, account.save()] as const);
    return [saveFolder(this.#root, 0), traits, [...(this.#supporters ?? [])], this.endless];
  }

  load([root, traits, supporters, endless]: SavedTree): void {
    if (supporters.length > 0) this.#supporters ??= new Map();
    for (const [domain, links] of supporters) {
      this.#supporters?.set(domain, links);
      this.supports += links;
    }
    // Snapshots of earlier versions do not have it.
    this.endless = endless ?? 0;
    for (const [name, saved] of traits) this.#trait(name, true)?.load(saved);
    this.#load(this.#root, root);
    for (const { restricted } of this.accounts()) if (restricted) this.telling = true;
  }

  /** By a parameter (`?name`), or by the form of a name (`/*.html`). */
  #trait(name: string, create: boolean): PatternAccount | undefined {
    const known = this.#traits?.get(name);
    if (known !== undefined || !create || (this.#traits?.size ?? 0) >= MOST_TRAITS) return known;
    const kind = name.startsWith('?') ? 'parameter' : 'name';
    const account = new PatternAccount(`${this.host}/**${name}`, kind, undefined, this.#allowances[kind]);
    this.#traits ??= new Map();
    this.#traits.set(name, account);
    this.size++;
    return account;
  }

  #step(folder: Folder, key: number, url: string, start: number, end: number, create: boolean): Folder | undefined {
    const known = folder.folders?.get(key);
    if (known !== undefined) return known;
    const most = folder.literal ? (MOST_NAMES[folder.depth] ?? NAMES_BELOW_STAR) : NAMES_BELOW_STAR;
    const literal = key >= 0 && (folder.folders?.size ?? 0) < most && end - start <= LONGEST_NAME;
    const own = key < 0 || literal ? key : STAR_KEY;
    const there = own === key ? undefined : folder.folders?.get(own);
    if (there !== undefined || !create) return there;
    if (this.size >= MOST_ACCOUNTS) return undefined;
    return this.#addFolder(folder, own, literal ? url.slice(start, end) : nameOf(own));
  }

  #addFolder(folder: Folder, key: number, name: string): Folder {
    const path = `${folder.path}${name}/`;
    const literal = folder.literal && key >= 0;
    const account = new PatternAccount(`${path}**`, 'folder', folder.account, this.#allowances.folder);
    const made = newFolder(name, path, folder.depth + 1, literal, account);
    folder.folders ??= new Map();
    folder.folders.set(key, made);
    this.size++;
    return made;
  }

  /** With a query the name of the page is a program's, and told apart while there are few; of the query the names count. */
  #queried(
    folder: Folder,
    shape: number,
    hash: number,
    tail: number,
    url: string,
    parts: UrlParts,
    create: boolean,
  ): PatternAccount {
    const named = shape <= STAR_KEY;
    let any = named ? mix(hash) + 1 : mix(tail) + 2;
    let group = folder.leaves?.get(any);
    const alone = named && (group !== undefined || folder.programs < MOST_PROGRAMS);
    if (named && !alone) {
      any = mix(tail) + 2;
      group = folder.leaves?.get(any);
    }
    if (group === undefined) {
      if (!create || this.size >= MOST_ACCOUNTS) return folder.account;
      const page = alone ? url.slice(parts.start, parts.query) : pageName(url, parts);
      group = this.#addLeaf(folder, any, `${page}?*`, folder.account, 'query');
      if (alone) folder.programs++;
    }
    const key = mix(queryNames(url, parts.query + 1, any));
    const leaf = folder.leaves?.get(key);
    if (leaf !== undefined) return leaf;
    if (!create || this.size >= MOST_ACCOUNTS || (folder.leaves?.size ?? 0) >= MOST_LEAVES) return group;
    const path = group.pattern.slice(folder.path.length, -1) + namesText(url, parts.query + 1);
    const made = this.#addLeaf(folder, key, path, group, 'leaf');
    made.traits = this.traitsOf(url, true);
    return made;
  }

  #leaf(folder: Folder, key: number, url: string, parts: UrlParts, create: boolean): PatternAccount {
    const known = folder.leaves?.get(key);
    if (known !== undefined) return known;
    if (!create || this.size >= MOST_ACCOUNTS || (folder.leaves?.size ?? 0) >= MOST_LEAVES) return folder.account;
    const name = pageName(url, parts);
    const made = this.#addLeaf(folder, key, name, folder.account, 'leaf');
    made.traits = this.#nameTrait(name);
    return made;
  }

  #nameTrait(name: string): readonly PatternAccount[] {
    const trait = name === '' ? undefined : this.#trait(`/${name}`, true);
    return trait === undefined ? NO_TRAITS : [trait];
  }

  #addLeaf(folder: Folder, key: number, path: string, up: PatternAccount, kind: 'leaf' | 'query'): PatternAccount {
    const leaf = new PatternAccount(folder.path + path, kind, up, this.#allowances[kind]);
    folder.leaves ??= new Map();
    folder.leaves.set(key, leaf);
    this.size++;
    return leaf;
  }

  #load(folder: Folder, [, , account, leaves, folders]: SavedFolder): void {
    folder.account.load(account);
    const keys = new Map<number, PatternAccount>();
    for (const [key, path, up, saved] of leaves) {
      const above = keys.get(up) ?? folder.account;
      const leaf = this.#addLeaf(folder, key, path, above, path.endsWith('?*') ? 'query' : 'leaf');
      leaf.load(saved);
      keys.set(key, leaf);
      if (leaf.kind === 'leaf') leaf.traits = path.includes('?') ? this.traitsOf(path, true) : this.#nameTrait(path);
      else if (!path.startsWith('*') && !path.startsWith('{')) folder.programs++;
    }
    for (const saved of folders) this.#load(this.#addFolder(folder, saved[1], saved[0]), saved);
  }
}

function newFolder(name: string, path: string, depth: number, literal: boolean, account: PatternAccount): Folder {
  return { name, path, depth, literal, account, programs: 0 };
}

function* accountsBelow(folder: Folder): Generator<PatternAccount> {
  yield folder.account;
  yield* folder.leaves?.values() ?? [];
  for (const below of folder.folders?.values() ?? []) yield* accountsBelow(below);
}

function saveFolder(folder: Folder, key: number): SavedFolder {
  const keys = new Map([...(folder.leaves ?? [])].map(([leafKey, account]) => [account, leafKey]));
  return [
    folder.name,
    key,
    folder.account.save(),
    [...(folder.leaves ?? [])].map(([leafKey, account]) => [
      leafKey,
      account.pattern.slice(folder.path.length),
      account.up === undefined ? -1 : (keys.get(account.up) ?? -1),
      account.save(),
    ]),
    [...(folder.folders ?? [])].map(([folderKey, below]) => saveFolder(below, folderKey)),
  ];
}
