import { byteSourceOf } from '../byte-text.ts';
import { Remembered } from '../remembered.ts';
import { scanOnce } from '../scan-once.ts';
import { collapse } from '../white-space.ts';
import { chooseAuthors } from './author-choice.ts';
import { chooseDates } from './date-choice.ts';
import { cluesOfNames } from './element-clues.ts';
import type { Finding } from './findings.ts';
import { readJsonLd } from './json-ld.ts';
import { licenseName } from './license-name.ts';
import { MetadataReader } from './metadata-reader.ts';
import type { PageMetadata, Told } from './metadata-record.ts';
import { chooseSubjects } from './subject-choice.ts';
import { TextBlocks } from './text-blocks.ts';
import { type PageKind, textsOfPage } from './texts-of-page.ts';
import { chooseTitle } from './title-choice.ts';

/** Of elements in one page that are remembered. */
const MOST_NAMES = 2000;

export interface MetadataOptions {
  /** Where the document came from. */
  readonly url: string;
  /** Of a page that is no article only what it declares is believed. */
  readonly kind?: PageKind;
}

/**
 * What an HTML page says of itself, with the source of each value: JSON-LD, META tags of all kinds, microdata, RDFa, the
 * elements and classes that people use for bylines and dates, and at last the URL and the text. A body in UTF-8 is given as
 * received, everything else decoded. Pure; no document makes it throw, and time grows with its length alone.
 */
export function pageMetadata(document: string | Uint8Array, options: MetadataOptions): PageMetadata {
  const clues = new Remembered(cluesOfNames, MOST_NAMES);
  const [reader, blocks] = scanOnce<[MetadataReader, TextBlocks]>(byteSourceOf(document), [
    (scanner) => new MetadataReader(scanner, (names) => clues.of(names)),
    (scanner) => new TextBlocks(scanner),
  ]);
  return metadataOf(reader, blocks, options);
}

/** The same, where the document has been read already. */
export function metadataOf(reader: MetadataReader, blocks: TextBlocks, options: MetadataOptions): PageMetadata {
  const { findings } = reader;
  const { kind = 'article' } = options;
  const url = URL.parse(options.url);
  readJsonLd(reader.jsonLd, reader.canonical ?? options.url, findings);
  const ofHost = hostNames(url);
  const siteNames = [...findings.of('siteName').map(({ value }) => value), ...ofHost];
  let read: ReturnType<typeof textsOfPage> | undefined;
  const texts = (): ReturnType<typeof textsOfPage> => {
    read ??= textsOfPage(blocks, kind);
    return read;
  };
  const language = languageOf(findings.of('language'));
  const htmlTitle = reader.htmlTitle === undefined ? undefined : collapse(reader.htmlTitle);
  const license = findings.best('license');
  return {
    title: chooseTitle(
      findings.of('title'),
      htmlTitle,
      siteNames,
      findings.of('banner').map(({ value }) => value),
    ),
    authors: chooseAuthors(
      kind === 'article' ? findings.of('author') : findings.of('author').filter(isDeclared),
      [...siteNames.slice(0, 1), ...ofHost],
      () => texts().bylines,
    ),
    ...chooseDates({
      published: kind === 'article' ? findings.of('published') : findings.of('published').filter(isDeclared),
      modified: findings.of('modified'),
      path: kind === 'article' ? (url?.pathname ?? '') : '',
      kind,
      reading: { monthFirst: /^en-us$/i.test(language?.value ?? '') },
      inText: () => texts().dates,
      updatesInText: () => texts().updates,
    }),
    siteName: told(findings.best('siteName')),
    language,
    description: told(findings.best('description')),
    image: firstImage(findings.of('image'), reader.base, options.url),
    type: told(findings.best('type')),
    tags: chooseSubjects(findings.of('tag')),
    categories: chooseSubjects(findings.of('category')),
    usageMetas: reader.usageMetas,
    license: license === undefined ? undefined : { value: licenseName(license.value), source: license.source },
  };
}

/** By META tags, data or an element for times; not by the name of a class. */
function isDeclared({ source }: Finding): boolean {
  return !source.startsWith('class ');
}

function told(finding: Finding | undefined): Told<string> | undefined {
  return finding === undefined ? undefined : { value: finding.value, source: finding.source };
}

/** What the domain says the site is called. */
function hostNames(url: URL | null): string[] {
  if (url === null) return [];
  const host = url.hostname.replace(/^www\d?\./, '');
  const labels = host.split('.');
  return [host, labels.slice(0, -1).join('.'), labels.length > 1 ? labels[labels.length - 2] : host, labels[0]];
}

/** `de_AT` and `DE` become `de-AT` and `de`; what is no tag is passed over. */
function languageOf(found: readonly Finding[]): Told<string> | undefined {
  for (const { value, source } of found) {
    const match = /^([a-z]{2,3})(?:[_-]([a-z]{4}))?(?:[_-]([a-z]{2}|\d{3}))?(?=$|[\s,;_.-])/i.exec(value);
    if (match === null) continue;
    const [, language, script, region] = match;
    const tag = [
      language.toLowerCase(),
      script === undefined ? '' : script[0].toUpperCase() + script.slice(1).toLowerCase(),
      region?.toUpperCase() ?? '',
    ];
    return { value: tag.filter((part) => part !== '').join('-'), source };
  }
  return undefined;
}

function firstImage(found: readonly Finding[], base: string | undefined, url: string): Told<string> | undefined {
  for (const finding of found) {
    const image = absoluteImage(finding, base, url);
    if (image !== undefined) return image;
  }
  return undefined;
}

function absoluteImage(finding: Finding, base: string | undefined, url: string): Told<string> | undefined {
  const root = base === undefined ? url : (URL.parse(base, url)?.href ?? url);
  const absolute = URL.parse(finding.value, root);
  return absolute === null || !/^https?:$/.test(absolute.protocol)
    ? undefined
    : { value: absolute.href, source: finding.source };
}
