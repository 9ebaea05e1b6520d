import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { resolverOf } from '../../../../src/crawl/content/page-reader.ts';
import { byteSourceOf } from '../../../../src/extract/byte-text.ts';
import { ANY_TAG } from '../../../../src/extract/element-traits.ts';
import { extractBeside, extractPage } from '../../../../src/extract/extract-page.ts';
import type { HtmlScanner } from '../../../../src/extract/html-scanner.ts';
import { NameMemory } from '../../../../src/extract/name-memory.ts';
import { pageReaders, readingOf } from '../../../../src/extract/read-page.ts';
import { type MarkupReader, scanOnce } from '../../../../src/extract/scan-once.ts';
import { attributeName } from '../../../../src/extract/tags/attribute-name.ts';
import { TagMemory } from '../../../../src/extract/tags/tag-memory.ts';
import { defaultUrlOptions } from '../../../../src/url/url-options.ts';

const NAMES = ['class', 'href', 'id', 'rel', 'title', 'x'].map(attributeName);

/** Writes down all that a scanner tells of tags. */
class Notes implements MarkupReader {
  readonly startTraits = ANY_TAG;
  readonly endTraits = ANY_TAG;
  readonly takesText = true;
  readonly written: unknown[] = [];
  readonly #scanner: HtmlScanner;

  constructor(scanner: HtmlScanner) {
    this.#scanner = scanner;
  }

  startTag(): boolean {
    const scanner = this.#scanner;
    const { name, nameNumber, traits, selfClosing, tokenStart } = scanner;
    const values = NAMES.map((wanted) => scanner.attribute(wanted));
    this.written.push({ name, nameNumber, traits, selfClosing, tokenStart, values, tag: scanner.tagName() });
    this.written.push(scanner.attributes(), scanner.writtenAttributes(), values);
    return name === 'script' || name === 'title';
  }

  rawText(): void {
    this.written.push(this.#scanner.text());
  }

  endTag(): void {
    this.written.push(
      this.#scanner.tagName(),
      NAMES.map((wanted) => this.#scanner.attribute(wanted)),
    );
  }

  text(): void {
    this.written.push(this.#scanner.text());
  }
}

const value = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'menu',
    'post-content',
    'hentry category-x',
    'a>b',
    'a"b',
    '&amp;',
    'é',
    'nofollow',
    '/a?b&lt;c',
    '#x',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const attribute = fc
  .tuple(
    fc.constantFrom('class', 'CLASS', 'href', 'id', 'rel', 'title', 'x', 'itemprop', '/', '='),
    fc.constantFrom('"', "'", ''),
    value,
  )
  .map(([name, quote, written]) => ` ${name}=${quote}${written}${quote}`);
const tag = fc
  .tuple(
    fc.constantFrom(
      'a',
      'A',
      'p',
      'div',
      'h2',
      'main',
      'li',
      'nav',
      'script',
      'title',
      'svg',
      'x-y',
      'x\0',
      'time',
      'meta',
      'img',
    ),
    fc.array(attribute, { maxLength: 3 }),
    fc.constantFrom('>', '>', '>', '/>', ' >', ''),
  )
  .map(([name, attributes, end]) => `<${name}${attributes.join('')}${end}`);
/** Documents that have most of their tags in common. */
const documents = fc.array(tag, { minLength: 1, maxLength: 8 }).chain((tags) =>
  fc.array(
    fc
      .array(
        fc.oneof(
          { weight: 6, arbitrary: fc.constantFrom(...tags) },
          {
            weight: 3,
            arbitrary: fc.constantFrom(
              '</p>',
              '</a>',
              '</div>',
              '</script>',
              '</title>',
              '</svg>',
              '</h2>',
              '<!--',
              '-->',
            ),
          },
          { weight: 3, arbitrary: fc.constantFrom('words', ' ', 'Some words of a sentence. ', '2 May 2021', '&nbsp;') },
          { weight: 1, arbitrary: tag },
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join('')),
    { minLength: 1, maxLength: 5 },
  ),
);

test('tags that were met before are read as if they were not', () => {
  fc.assert(
    fc.property(documents, (sources) => {
      const tags = new TagMemory();
      for (const source of sources) {
        const bytes = byteSourceOf(source);
        const [beside] = scanOnce<[Notes]>(bytes, [(scanner) => new Notes(scanner)], tags);
        const [alone] = scanOnce<[Notes]>(bytes, [(scanner) => new Notes(scanner)]);
        assert.deepEqual(beside.written, alone.written);
      }
    }),
    { numRuns: 300 },
  );
});

test('a page says the same after others with the same tags', () => {
  const url = 'https://a.example/b/page.html';
  fc.assert(
    fc.property(documents, (sources) => {
      const tags = new TagMemory();
      const names = new NameMemory();
      for (const source of sources) {
        const said = (memory: TagMemory | undefined, known: NameMemory): unknown => {
          const makers = pageReaders({ url, spam: true, headings: true, names: known });
          const { page, readers } = extractBeside(source, { url }, makers, memory);
          assert.ok(readers !== undefined);
          const { content, metadata, headings, spamSigns } = readingOf(readers, { url });
          const signs = spamSigns?.({ text: content.prose, linkCount: page.links.length });
          return {
            page,
            text: content.text,
            unlinked: content.unlinked,
            html: content.html,
            metadata,
            headings,
            signs,
          };
        };
        assert.deepEqual(said(tags, names), said(undefined, new NameMemory()));
      }
    }),
    { numRuns: 200 },
  );
});

test('long tags, and those that come once, are not kept', () => {
  const tags = new TagMemory();
  const read = (html: string): boolean[] => {
    const met: boolean[] = [];
    const note = (scanner: HtmlScanner): MarkupReader => ({
      startTag() {
        met.push(scanner.tag !== undefined);
        return false;
      },
      ...{ startTraits: ANY_TAG, endTraits: ANY_TAG, takesText: true, rawText() {}, endTag() {}, text() {} },
    });
    scanOnce<[MarkupReader]>(byteSourceOf(html), [note], tags);
    return met;
  };
  const long = `<p class="${'x'.repeat(200)}">`;
  assert.deepEqual(read(`<p><p><p>${long}${long}${long}<a title="a>b"><a title="a>b"><a title="a>b">`), [
    ...[false, false, true, false, false, false, false, false, false],
  ]);
  assert.deepEqual(read('<p><p ><P>'), [true, false, false]);
});

test('links of tags that were met before lead where they would if they were not', () => {
  const urls = ['http://a.test/x/', 'http://a.test/x/y?z', 'http://a.test/', 'https://a.test/x/', 'http://b.test/x/y/'];
  const references = ['p', '../p', '/p', '//c.test/p', '#p', '?p', '', ' #p', 'mailto:a@b.test', 'http://c.test/p'];
  const anchor = fc.constantFrom(...references.map((reference) => `<a href="${reference}">P</a>`));
  const base = fc.constantFrom('', '', '', '<base href="/x/y/">', '<base href="http://b.test/x/">');
  const pages = fc.array(fc.tuple(fc.constantFrom(...urls), base, fc.array(anchor, { maxLength: 12 })), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(pages, (visited) => {
      const tags = new TagMemory();
      const resolver = resolverOf(defaultUrlOptions);
      for (const [url, before, anchors] of visited) {
        const source = before + anchors.join(' ');
        const { page } = extractBeside(source, { url, resolver }, [], tags);
        assert.deepEqual(page, extractPage(source, { url, resolver }));
      }
    }),
  );
});
