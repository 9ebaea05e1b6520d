import { readXmlTree } from '../xml/xml-tree.ts';
import { ChannelReader } from './channel-reader.ts';
import { readEntry } from './entry-reader.ts';
import type { Feed, FeedChannel, FeedEntry, FeedOutcome, FeedProblem } from './feed.ts';
import { type DecodedFeed, decodeFeed } from './feed-charset.ts';
import { feedFormatOf } from './feed-format.ts';
import { defaultFeedLimits, type FeedLimits, type FeedOptions } from './feed-options.ts';
import { childPlaces, type FeedPlace, rootPlace } from './feed-place.ts';
import { ScheduleReader } from './feed-schedule.ts';
import { readJsonFeed } from './json-feed.ts';

/** Media types that a feed may honestly come with. */
const feedTypes = /^\s*(?:application|text)\/(?:[\w.+-]*\+)?(?:xml|json)(?:-dtd|-external-parsed-entity)?\s*(?:;|$)/i;

/** Reads a feed of any format. Never throws for what the bytes are. */
export function readFeed(bytes: Uint8Array, options: FeedOptions = {}): FeedOutcome {
  const limits = options.limits ?? defaultFeedLimits;
  const tooLong = bytes.length > limits.maxBytes;
  const decoded = decodeFeed(tooLong ? bytes.subarray(0, limits.maxBytes) : bytes, options);
  const text = decoded.text.replace(/^[\s\ufeff]+/, '');
  if (text === '') return { kind: 'unreadable', why: 'empty', detail: 'there is nothing in it' };
  const { contentType } = options;
  if (contentType !== undefined && contentType.trim() !== '' && !feedTypes.test(contentType)) {
    decoded.problems.push('media-type');
  }
  if (text.charCodeAt(0) === 0x7b) return readJsonFeed(text, decoded, options, limits);
  return readXmlFeed(text, decoded, options, limits, tooLong);
}

function readXmlFeed(
  text: string,
  decoded: DecodedFeed,
  options: FeedOptions,
  limits: FeedLimits,
  tooLong: boolean,
): FeedOutcome {
  const tree = readXmlTree(text, limits.xml, limits.maxNodes);
  const format = feedFormatOf(tree);
  if (tree.root === undefined || format === undefined) {
    const detail =
      tree.root === undefined ? 'no element at all' : `the root element is <${tree.root.name.qualified.slice(0, 80)}>`;
    return { kind: 'unreadable', why: 'not-a-feed', detail };
  }
  const root = rootPlace(tree.root, options.url ?? '');
  const walk: Walk = {
    channel: new ChannelReader(format.startsWith('atom')),
    schedule: new ScheduleReader(),
    entries: [],
    limits,
    tooMany: false,
    language: root.language,
  };
  if (format === 'cdf') walk.channel.takeAttributes(root);
  walkChannel(root, walk);
  const channel = walk.channel.channel();
  const problems: FeedProblem[] = [...decoded.problems];
  if (tree.brokenRule !== undefined) problems.unshift('not-well-formed');
  const cut = tooLong ? 'bytes' : tree.cut ? 'elements' : walk.tooMany ? 'entries' : undefined;
  const language = channel.language ?? walk.language ?? options.contentLanguage;
  const feed: Feed = {
    ...channel,
    ...(language === undefined ? {} : { language }),
    format,
    encoding: decoded.encoding,
    wellFormed: tree.brokenRule === undefined,
    problems,
    ...(tree.brokenRule === undefined ? {} : { fault: tree.brokenRule }),
    unexpandedEntities: tree.unknownEntities,
    entries: walk.entries,
    ...namedLinks(channel),
    ...walk.schedule.schedule(),
    ...(cut === undefined ? {} : { cut }),
  };
  return { kind: 'read', feed };
}

interface Walk {
  readonly channel: ChannelReader;
  readonly schedule: ScheduleReader;
  readonly entries: FeedEntry[];
  readonly limits: FeedLimits;
  tooMany: boolean;
  language: string | undefined;
}

/** Items stand within the channel or beside it; both kinds are read as one. */
function walkChannel(place: FeedPlace, walk: Walk): void {
  for (const child of childPlaces(place)) {
    if (child.name === 'item' || child.name === 'entry') {
      if (walk.entries.length < walk.limits.maxEntries) walk.entries.push(readEntry(child, walk.channel.isAtom));
      else walk.tooMany = true;
    } else if (child.name === 'channel') {
      walk.language = child.language ?? walk.language;
      walkChannel(child, walk);
    } else {
      walk.channel.takeElement(child);
      walk.schedule.takeElement(child);
    }
  }
}

/** The links of a feed that mean something to whoever polls it. */
function namedLinks(channel: FeedChannel): Pick<Feed, 'self' | 'hubs' | 'next' | 'previous'> {
  const first = (...rels: string[]): string | undefined => {
    for (const rel of rels) {
      const link = channel.links.find((candidate) => candidate.rel === rel);
      if (link !== undefined) return link.url;
    }
    return undefined;
  };
  const self = first('self');
  const next = first('next', 'prev-archive');
  const previous = first('previous', 'prev', 'next-archive');
  return {
    ...(self === undefined ? {} : { self }),
    hubs: channel.links.filter((link) => link.rel === 'hub').map((link) => link.url),
    ...(next === undefined ? {} : { next }),
    ...(previous === undefined ? {} : { previous }),
  };
}
