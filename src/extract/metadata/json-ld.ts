import type { Findings } from './findings.ts';
import { parseLenientJson } from './lenient-json.ts';

type Node = Readonly<Record<string, unknown>>;

interface Entity {
  readonly node: Node;
  readonly types: readonly string[];
  /** How likely it is the thing that the page is about. */
  readonly rank: number;
}

const MAX_DEPTH = 16;
const MAX_NODES = 4000;

/** Entities that are parts, neighbours or remarks of another one are not what the page is about. */
const ASIDE =
  /^(?:itemListElement|hasPart|isPartOf|review|comment|relatedLink|isRelatedTo|associatedMedia|video|image|logo|mentions|citation|about|isBasedOn|subjectOf|blogPost|episode|suggestedAnswer|acceptedAnswer)$/;
const ARTICLE = /Article$|^(?:BlogPosting|LiveBlogPosting|SocialMediaPosting|DiscussionForumPosting|Report|NewsItem)$/;
const WORK =
  /^(?:Recipe|HowTo|Review|VideoObject|PodcastEpisode|TVEpisode|Product|Event|JobPosting|Book|Movie|CreativeWork|Course|Dataset|SoftwareApplication|QAPage|Question|AudioObject|MusicRecording)$/;
const PAGE = /Page$/;
const ORGANIZATION = /Organization$|^(?:Corporation|LocalBusiness|NewsMediaOrganization)$/;

/** What the JSON-LD of a page says of it: graphs, arrays and nested entities, references by `@id` followed. Never throws. */
export function readJsonLd(scripts: readonly string[], pageUrl: string, findings: Findings): void {
  if (scripts.length === 0) return;
  const reader = new JsonLdReader(pageUrl);
  for (const script of scripts) reader.collect(parseLenientJson(script), '', 0);
  reader.tell(findings);
}

class JsonLdReader {
  readonly #page: string;
  readonly #entities: Entity[] = [];
  readonly #byId = new Map<string, Node>();
  #nodes = 0;

  constructor(pageUrl: string) {
    this.#page = comparable(pageUrl);
  }

  collect(value: unknown, key: string, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH || ++this.#nodes > MAX_NODES) return;
    if (Array.isArray(value)) {
      for (const item of value) this.collect(item, key, depth + 1);
      return;
    }
    const node = value as Node;
    const types = strings(node['@type'] ?? node.type).map(localName);
    const id = node['@id'];
    // A node that holds nothing but its name is a reference.
    if (typeof id === 'string' && Object.keys(node).length > 1 && !this.#byId.has(id)) this.#byId.set(id, node);
    if (types.length > 0) this.#entities.push({ node, types, rank: this.#rank(node, types, key, depth) });
    for (const [name, inner] of Object.entries(node)) {
      if (typeof inner === 'object') this.collect(inner, ASIDE.test(key) ? key : name, depth + 1);
    }
  }

  tell(findings: Findings): void {
    const ranked = this.#entities.filter((entity) => entity.rank > 0).toSorted((a, b) => b.rank - a.rank);
    for (const [place, entity] of ranked.slice(0, 3).entries()) {
      // What is not about the same page tells nothing of it.
      if (place > 0 && entity.rank < 40) break;
      this.#tellWork(entity, findings, place === 0 ? 0 : 12 * place);
    }
    for (const { node, types } of this.#entities.slice(0, 200)) {
      if (types.includes('WebSite')) add(findings, 'siteName', node.name, 'json-ld WebSite.name', 78);
      else if (types.some((type) => ORGANIZATION.test(type)))
        add(findings, 'siteName', node.name, 'json-ld Organization.name', 45);
      else if (types.includes('BreadcrumbList')) this.#tellBreadcrumb(node, findings);
    }
  }

  #rank(node: Node, types: readonly string[], key: string, depth: number): number {
    let rank = 0;
    if (types.some((type) => ARTICLE.test(type))) rank = 100;
    else if (types.some((type) => WORK.test(type))) rank = 70;
    else if (types.some((type) => PAGE.test(type))) rank = 50;
    if (rank === 0) return 0;
    if (ASIDE.test(key)) rank -= 60;
    const place = [node.url, node['@id'], idOf(node.mainEntityOfPage)].find((url) => typeof url === 'string');
    if (place !== undefined && comparable(place as string) === this.#page) rank += 30;
    return rank - Math.min(depth, 8);
  }

  #tellWork({ node, types, rank }: Entity, findings: Findings, less: number): void {
    const type = types[0];
    const article = rank > 60;
    const source = (property: string): string => `json-ld ${type}.${property}`;
    const title = node.headline ?? node.name ?? node.title;
    add(
      findings,
      'title',
      title,
      source(node.headline === undefined ? 'name' : 'headline'),
      (article ? 88 : 60) - less,
    );
    for (const property of ['author', 'creator', 'contributor']) {
      for (const { name, person } of this.#names(node[property], 0))
        findings.add('author', name, source(property), (property === 'author' ? 92 : 84) - (person ? 0 : 10) - less);
    }
    add(findings, 'published', node.datePublished, source('datePublished'), (article ? 100 : 82) - less);
    add(findings, 'published', node.dateCreated, source('dateCreated'), (article ? 84 : 66) - less);
    add(findings, 'published', node.uploadDate, source('uploadDate'), 84 - less);
    add(findings, 'modified', node.dateModified, source('dateModified'), (article ? 100 : 82) - less);
    for (const { name } of this.#names(node.publisher, 0))
      findings.add('siteName', name, source('publisher'), 75 - less);
    for (const section of strings(node.articleSection))
      add(findings, 'category', section, source('articleSection'), 85 - less);
    for (const section of strings(node.recipeCategory))
      add(findings, 'category', section, source('recipeCategory'), 70 - less);
    for (const keyword of strings(node.keywords)) add(findings, 'tag', keyword, source('keywords'), 80 - less);
    add(findings, 'description', node.description, source('description'), 80 - less);
    for (const property of ['image', 'thumbnailUrl'])
      add(findings, 'image', imageOf(this.#resolved(node[property])), source(property), 80 - less);
    const [language] = strings(node.inLanguage);
    add(findings, 'language', language, source('inLanguage'), 60 - less);
    add(findings, 'license', urlOf(node.license), source('license'), 90 - less);
    add(findings, 'type', type, 'json-ld @type', (article ? 80 : 50) - less);
  }

  #tellBreadcrumb(list: Node, findings: Findings): void {
    const items = Array.isArray(list.itemListElement) ? list.itemListElement : [];
    // The first is the start page, the last the page itself.
    for (const item of items.slice(1, -1).slice(0, 8)) {
      const place = this.#resolved(item);
      const name = place?.name ?? this.#resolved(place?.item)?.name;
      add(findings, 'category', name, 'json-ld BreadcrumbList', 40);
    }
  }

  /** Names of people and organizations, however they are written. */
  #names(value: unknown, depth: number): { readonly name: string; readonly person: boolean }[] {
    if (depth > 4) return [];
    if (typeof value === 'string') return isUrl(value) ? [] : [{ name: value, person: true }];
    if (Array.isArray(value)) return value.slice(0, 20).flatMap((item) => this.#names(item, depth + 1));
    const node = this.#resolved(value);
    if (node === undefined) return [];
    const types = strings(node['@type']).map(localName);
    const person = types.length === 0 || types.includes('Person');
    const name = node.name ?? (node.givenName === undefined ? undefined : `${node.givenName} ${node.familyName ?? ''}`);
    if (typeof name === 'object' && name !== null && !Array.isArray(name)) return this.#names(name, depth + 1);
    return strings(name)
      .filter((text) => !isUrl(text))
      .map((text) => ({ name: text, person }));
  }

  #resolved(value: unknown): Node | undefined {
    if (typeof value === 'string') return this.#byId.get(value) ?? { url: value };
    if (typeof value !== 'object' || value === null) return undefined;
    const node = (Array.isArray(value) ? value[0] : value) as unknown;
    if (typeof node === 'string') return { url: node };
    if (typeof node !== 'object' || node === null) return undefined;
    const id = (node as Node)['@id'];
    return Object.keys(node).length === 1 && typeof id === 'string' ? this.#byId.get(id) : (node as Node);
  }
}

function add(
  findings: Findings,
  field: Parameters<Findings['add']>[0],
  value: unknown,
  source: string,
  weight: number,
): void {
  const [text] = strings(value);
  if (text !== undefined) findings.add(field, text, source, weight);
}

/** The texts of a value: one, several, or one with a language. */
function strings(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  if (Array.isArray(value))
    return value
      .slice(0, 100)
      .filter((item) => item !== value)
      .flatMap((item) => (Array.isArray(item) ? [] : strings(item)));
  if (typeof value === 'object' && value !== null) {
    const { '@value': text, name, alternateName } = value as Record<string, unknown>;
    return [text, name, alternateName].filter((item) => typeof item === 'string').slice(0, 1);
  }
  return [];
}

function imageOf(node: Node | undefined): unknown {
  return node?.url ?? node?.contentUrl ?? node?.['@id'];
}

function urlOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const { url, '@id': id, name } = value as Record<string, unknown>;
    return url ?? id ?? name;
  }
  return value;
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? ((value as Node)['@id'] ?? (value as Node).url) : value;
}

function localName(type: string): string {
  return type.slice(Math.max(type.lastIndexOf('/'), type.lastIndexOf(':'), type.lastIndexOf('#')) + 1);
}

function isUrl(text: string): boolean {
  return /^(?:https?:)?\/\//i.test(text);
}

/** The same page under http and https, with and without www, query, fragment and slash. */
function comparable(url: string): string {
  return url
    .replace(/^https?:\/\/(?:www\.)?/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '')
    .toLowerCase();
}
