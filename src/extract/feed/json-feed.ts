import type { Feed, FeedEntry, FeedLink, FeedOutcome, FeedPerson, FeedText } from './feed.ts';
import type { DecodedFeed } from './feed-charset.ts';
import type { FeedLimits, FeedOptions } from './feed-options.ts';
import { feedText } from './feed-text.ts';
import { resolveLink } from './resolve-link.ts';
import { resolveMarkup } from './resolve-markup.ts';
import { dateOf } from './thing-reader.ts';

type Json = Readonly<Record<string, unknown>>;

/** More of a kind than any honest entry has. */
const mostOfAKind = 200;

/** Reads a JSON Feed, version 1 or 1.1. Members of the wrong kind are taken for absent. */
export function readJsonFeed(
  text: string,
  decoded: DecodedFeed,
  options: FeedOptions,
  limits: FeedLimits,
): FeedOutcome {
  const parsed = parseObject(text);
  if (parsed === undefined) return { kind: 'unreadable', why: 'broken', detail: 'JSON that cannot be read' };
  if (!/^https?:\/\/(?:www\.)?jsonfeed\.org\/version\//.test(stringAt(parsed, 'version') ?? '')) {
    return { kind: 'unreadable', why: 'not-a-feed', detail: 'JSON without the version of a JSON Feed' };
  }
  const base = options.url ?? '';
  const items = objectsAt(parsed, 'items');
  const language = stringAt(parsed, 'language') ?? options.contentLanguage;
  const link = linkAt(parsed, 'home_page_url', base);
  const self = linkAt(parsed, 'feed_url', base);
  const next = linkAt(parsed, 'next_url', base);
  const icon = linkAt(parsed, 'favicon', base);
  const logo = linkAt(parsed, 'icon', base);
  const links: FeedLink[] = [];
  if (link !== undefined) links.push({ url: link, rel: 'alternate', type: 'text/html' });
  if (self !== undefined) links.push({ url: self, rel: 'self' });
  if (next !== undefined) links.push({ url: next, rel: 'next' });
  const feed: Feed = {
    format: 'json',
    encoding: decoded.encoding,
    wellFormed: true,
    problems: decoded.problems,
    unexpandedEntities: 0,
    ...textMember('title', plainAt(parsed, 'title', base, language)),
    ...textMember('subtitle', plainAt(parsed, 'description', base, language)),
    ...(link === undefined ? {} : { link }),
    links,
    authors: personsOf(parsed, base),
    contributors: [],
    categories: [],
    ...(language === undefined ? {} : { language }),
    ...(icon === undefined ? {} : { icon }),
    ...(logo === undefined ? {} : { logo }),
    entries: items.slice(0, limits.maxEntries).map((item) => entryOf(item, base, language)),
    ...(self === undefined ? {} : { self }),
    hubs: objectsAt(parsed, 'hubs')
      .slice(0, mostOfAKind)
      .flatMap((hub) => linkAt(hub, 'url', base) ?? []),
    ...(next === undefined ? {} : { next }),
    skipHours: [],
    skipDays: [],
    ...(items.length > limits.maxEntries ? { cut: 'entries' as const } : {}),
  };
  return { kind: 'read', feed };
}

function entryOf(item: Json, base: string, feedLanguage: string | undefined): FeedEntry {
  const language = stringAt(item, 'language') ?? feedLanguage;
  const rawId = item.id;
  const id = typeof rawId === 'number' ? String(rawId) : stringAt(item, 'id');
  const url = linkAt(item, 'url', base);
  const external = linkAt(item, 'external_url', base);
  const link = url ?? external ?? (id !== undefined && /^https?:\/\//i.test(id) ? id : undefined);
  const links: FeedLink[] = [];
  if (url !== undefined) links.push({ url, rel: 'alternate', type: 'text/html' });
  if (external !== undefined) links.push({ url: external, rel: 'related' });
  const html = stringAt(item, 'content_html');
  const plain = stringAt(item, 'content_text');
  const content: FeedText[] = [];
  if (html !== undefined) content.push(feedText(resolveMarkup(html, base), 'text/html', { base, language }));
  if (plain !== undefined) content.push(feedText(plain, 'text/plain', { base, language }));
  const published = dateOf(stringAt(item, 'date_published') ?? '');
  const updated = dateOf(stringAt(item, 'date_modified') ?? '');
  const image = linkAt(item, 'image', base);
  return {
    ...(id === undefined ? {} : { id }),
    ...textMember('title', plainAt(item, 'title', base, language)),
    ...textMember('summary', plainAt(item, 'summary', base, language)),
    ...(link === undefined ? {} : { link }),
    links,
    ...(published === undefined ? {} : { published }),
    ...(updated === undefined ? {} : { updated }),
    authors: personsOf(item, base),
    contributors: [],
    categories: arrayAt(item, 'tags')
      .slice(0, mostOfAKind)
      .flatMap((tag) => (typeof tag === 'string' && tag.trim() !== '' ? { term: tag.trim() } : [])),
    ...(language === undefined ? {} : { language }),
    ...(image === undefined ? {} : { image }),
    idIsLink: link !== undefined && link === id,
    content,
    enclosures: objectsAt(item, 'attachments')
      .slice(0, mostOfAKind)
      .flatMap((attachment) => {
        const address = linkAt(attachment, 'url', base);
        const type = stringAt(attachment, 'mime_type');
        const size = attachment.size_in_bytes;
        if (address === undefined) return [];
        return {
          url: address,
          ...(type === undefined ? {} : { type }),
          ...(typeof size === 'number' ? { length: String(size) } : {}),
        };
      }),
    media: [],
  };
}

function parseObject(text: string): Json | undefined {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Version 1 has one author, version 1.1 a list. */
function personsOf(parent: Json, base: string): FeedPerson[] {
  const list = objectsAt(parent, 'authors');
  const single = asObject(parent.author);
  return (list.length > 0 || single === undefined ? list : [single]).slice(0, mostOfAKind).flatMap((person) => {
    const name = stringAt(person, 'name');
    const url = linkAt(person, 'url', base);
    if (name === undefined && url === undefined) return [];
    return { ...(name === undefined ? {} : { name }), ...(url === undefined ? {} : { url }) };
  });
}

function plainAt(parent: Json, key: string, base: string, language: string | undefined): FeedText | undefined {
  const value = stringAt(parent, key);
  return value === undefined ? undefined : feedText(value, 'text/plain', { base, language });
}

function textMember<K extends string>(key: K, text: FeedText | undefined): { [P in K]?: FeedText } {
  return (text === undefined ? {} : { [key]: text }) as { [P in K]?: FeedText };
}

function stringAt(parent: Json, key: string): string | undefined {
  const value = parent[key];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function linkAt(parent: Json, key: string, base: string): string | undefined {
  const value = stringAt(parent, key);
  return value === undefined ? undefined : resolveLink(value, base);
}

function arrayAt(parent: Json, key: string): readonly unknown[] {
  const value = parent[key];
  return Array.isArray(value) ? value : [];
}

function objectsAt(parent: Json, key: string): Json[] {
  return arrayAt(parent, key).flatMap((value): Json[] => {
    const object = asObject(value);
    return object === undefined ? [] : [object];
  });
}

function asObject(value: unknown): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}
