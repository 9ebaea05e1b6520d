/**
 * How fast pages are read, in MB of HTML per CPU-second (of the whole process, the garbage collector included), on the
 * real pages of the data sets, beside the parsers of others.
 *
 *   npx node bench/parser.ts [rounds] [part of the name of what to measure]
 */
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { charsetOf, decode } from '../src/convert/charset.ts';
import { extractPage } from '../src/extract/extract-page.ts';
import { textTable } from '../src/laboratory/plots/text-table.ts';
import { createResolver } from '../src/url/resolver.ts';
import { defaultUrlOptions } from '../src/url/url-options.ts';
import { peerPackage } from './harness/peer-packages.ts';
import { realPages } from './harness/real-pages.ts';
import { type Candidate, type Speed, takeTurns } from './harness/take-turns.ts';

export interface ParserOptions {
  readonly rounds: number;
  /** Only what has this in its name. */
  readonly wanted?: string;
  /** Only every so many-th page. */
  readonly everyNth?: number;
}

export interface ParserMeasures {
  readonly pages: number;
  readonly megabytes: number;
  readonly source: string;
  /** MB per CPU-second. */
  readonly speeds: readonly Speed[];
  /** Packages to compare with that are not installed. */
  readonly absent: readonly string[];
}

/** Not reading at all: what no reader of text can beat. */
export const DECODING = 'decoding alone';

const PAGE_URL = 'https://www.example.com/news/2024/page.html';

type Reader = (body: Uint8Array) => unknown;

export async function measure({ rounds, wanted = '', everyNth = 1 }: ParserOptions): Promise<ParserMeasures> {
  const { bodies, megabytes, source } = realPages(everyNth);
  const peers: Record<string, Reader | undefined> = {
    'parse5: tree, anchors': parse5Links,
    'htmlparser2: events, anchors': await htmlparser2Links(),
    'cheerio: tree, $("a[href]")': await cheerioLinks(),
  };
  const reading = (name: string, read: Reader, peer: boolean): Candidate => ({
    name,
    peer,
    work() {
      for (const body of bodies) read(body);
    },
  });
  const candidates = [
    ...Object.entries(OURS).map(([name, read]) => reading(name, read, false)),
    ...Object.entries(peers).flatMap(([name, read]) => (read === undefined ? [] : [reading(name, read, true)])),
  ];
  return {
    pages: bodies.length,
    megabytes,
    source,
    speeds: takeTurns(
      candidates.filter(({ name }) => name.includes(wanted)),
      rounds,
      megabytes,
    ),
    absent: Object.keys(peers).filter((name) => peers[name] === undefined),
  };
}

const resolver = (base: string) => {
  const resolved = createResolver(base, defaultUrlOptions);
  return (reference: string) => resolved.resolve(reference);
};

const OURS: Readonly<Record<string, Reader>> = {
  [DECODING]: textOf,
  'links, title, metadata': (body) => extractPage(body, { url: PAGE_URL, resolver }),
  '... with the visible text': (body) => extractPage(body, { url: PAGE_URL, resolver, text: true }),
  '... and with resources': (body) => extractPage(body, { url: PAGE_URL, resolver, text: true, resources: true }),
  '... from decoded text': (body) =>
    extractPage(textOf(body), { url: PAGE_URL, resolver, text: true, resources: true }),
  'links, with the platform URL parser': (body) => extractPage(body, { url: PAGE_URL }),
};

function textOf(body: Uint8Array): string {
  return decode(body, charsetOf(body, { label: 'utf-8' }).encoding);
}

/** What every peer does with a link: makes it absolute with the platform's parser. */
function isLink(href: string | undefined): boolean {
  return href !== undefined && URL.canParse(href, PAGE_URL);
}

function parse5Links(body: Uint8Array): number {
  let links = 0;
  const waiting: DefaultTreeAdapterTypes.Node[] = [parse(textOf(body), { scriptingEnabled: false })];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if ('tagName' in node && node.tagName === 'a') {
      if (isLink(node.attrs.find(({ name }) => name === 'href')?.value)) links++;
    }
    if ('childNodes' in node) waiting.push(...node.childNodes);
  }
  return links;
}

/** As much of the packages as is used here. */
interface Htmlparser2 {
  readonly Parser: new (handler: {
    onopentag(name: string, attributes: Record<string, string>): void;
  }) => { end(text: string): void };
}
interface Cheerio {
  load(html: string): (selector: string) => {
    each(visit: (at: number, element: { attribs: Record<string, string> }) => void): void;
  };
}

async function htmlparser2Links(): Promise<Reader | undefined> {
  const peer = await peerPackage<Htmlparser2>('htmlparser2');
  if (peer === undefined) return undefined;
  return (body) => {
    let links = 0;
    const onopentag = (name: string, { href }: Record<string, string>): void => {
      if (name === 'a' && isLink(href)) links++;
    };
    new peer.Parser({ onopentag }).end(textOf(body));
    return links;
  };
}

async function cheerioLinks(): Promise<Reader | undefined> {
  const peer = await peerPackage<Cheerio>('cheerio');
  if (peer === undefined) return undefined;
  return (body) => {
    let links = 0;
    peer
      .load(textOf(body))('a[href]')
      .each((_, { attribs }) => {
        if (isLink(attribs.href)) links++;
      });
    return links;
  };
}

if (import.meta.main) {
  const [rounds = '15', wanted = ''] = process.argv.slice(2);
  const { pages, megabytes, source, speeds, absent } = await measure({ rounds: Number(rounds), wanted });
  console.log(`${pages} ${source}, ${megabytes.toFixed(1)} MB`);
  const rows = speeds.map(({ name, median, best }) => [name, median, best]);
  console.log(textTable({ columns: ['MB per CPU-second', 'median', 'best'], rows }));
  if (absent.length > 0) console.log(`Not installed (BENCH_PEERS): ${absent.join('; ')}`);
}
