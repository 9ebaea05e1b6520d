import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { byteSourceOf } from '../../../src/extract/byte-text.ts';
import { ANY_TAG } from '../../../src/extract/element-traits.ts';
import { extractBeside, extractPage } from '../../../src/extract/extract-page.ts';
import type { HtmlScanner } from '../../../src/extract/html-scanner.ts';
import { mainContent } from '../../../src/extract/main-content/main-content.ts';
import { pageMetadata } from '../../../src/extract/metadata/page-metadata.ts';
import { pageReaders, readingOf, readPage } from '../../../src/extract/read-page.ts';
import { type MarkupReader, scanOnce } from '../../../src/extract/scan-once.ts';
import { pageSpamSigns } from '../../../src/extract/spam/page-signs.ts';

/** Writes down all that it is told; the given elements are raw text to it. */
class Notes implements MarkupReader {
  readonly startTraits = ANY_TAG;
  readonly endTraits = ANY_TAG;
  readonly takesText = true;
  readonly written: string[] = [];
  readonly #scanner: HtmlScanner;
  readonly #raw: readonly string[];

  constructor(scanner: HtmlScanner, raw: readonly string[]) {
    this.#scanner = scanner;
    this.#raw = raw;
  }

  startTag(): boolean {
    this.written.push(`<${this.#scanner.tagName()}>`);
    return this.#raw.includes(this.#scanner.name);
  }

  rawText(): void {
    this.written.push(`${this.#scanner.name} holds ${this.#scanner.text()}`);
  }

  endTag(): void {
    this.written.push(`</${this.#scanner.tagName()}>`);
  }

  text(): void {
    this.written.push(this.#scanner.text());
  }

  end(): void {
    this.written.push('end');
  }
}

function notes(html: string, ...tastes: readonly (readonly string[])[]): readonly string[][] {
  const makers = tastes.map((raw) => (scanner: HtmlScanner) => new Notes(scanner, raw));
  return scanOnce<Notes[]>(byteSourceOf(html), makers).map(({ written }) => written);
}

const pieces = fc.array(
  fc.constantFrom(
    ...['<p>', '</p>', 'word ', '<noscript>', '</noscript>', '<script>', '</script>', '<style>', '</style>', '<!--'],
    ...['-->', '<title>', '</title>', '<svg>', '</svg>', '<b title="', '">', '<', '</', '<textarea>', '</textarea>'],
    ...['<div style="display:none">', '</div>', '<h1>A headline</h1>', '<time>2020-02-03</time>', '<plaintext>'],
  ),
  { maxLength: 24 },
);

describe('readTogether', () => {
  test('lets those read on for whom an element is no raw text', () => {
    const [first, second] = notes('a<noscript><b>c</b></noscript>d', ['noscript'], []);
    assert.deepEqual(first, ['a', '<noscript>', 'noscript holds <b>c</b>', '</noscript>', 'd', 'end']);
    assert.deepEqual(second, ['a', '<noscript>', '<b>', 'c', '</b>', '</noscript>', 'd', 'end']);
  });

  test('leads any number of readers', () => {
    const all = notes('a<noscript><b>c</b></noscript>d', ['noscript'], [], [], [], [], [], ['noscript']);
    const [first, second] = notes('a<noscript><b>c</b></noscript>d', ['noscript'], []);
    assert.deepEqual(all, [first, second, second, second, second, second, first]);
  });

  test('finds the place again that a comment of the others has swallowed', () => {
    const [first, second] = notes('<noscript><!--</noscript>a--><p>b', ['noscript'], []);
    assert.deepEqual(first, ['<noscript>', 'noscript holds <!--', '</noscript>', 'a-->', '<p>', 'b', 'end']);
    assert.deepEqual(second, ['<noscript>', '<p>', 'b', 'end']);
  });

  test('tells each reader what it would be told alone', () => {
    const tastes = [['script', 'noscript'], ['script', 'title'], ['style', 'textarea', 'title', 'plaintext'], []];
    fc.assert(
      fc.property(pieces, (parts) => {
        const html = parts.join('');
        const alone = tastes.map((raw) => notes(html, raw)[0]);
        assert.deepEqual(notes(html, ...tastes), alone);
      }),
      { numRuns: 500 },
    );
  });
});

describe('readPage', () => {
  test('finds what each part finds alone', () => {
    const url = 'https://a.example/page';
    fc.assert(
      fc.property(pieces, fc.boolean(), (parts, spam) => {
        const html = parts.join('');
        const { content, metadata, spamSigns } = readPage(html, { url, spam });
        const { text } = mainContent(html, { url });
        assert.equal(content.text, text);
        assert.deepEqual(metadata, pageMetadata(html, { url, kind: content.kind }));
        const page = { text, linkCount: 0 };
        assert.deepEqual(spamSigns?.(page), spam ? pageSpamSigns({ ...page, source: html, url }) : undefined);
      }),
      { numRuns: 300 },
    );
  });
});

describe('extractBeside', () => {
  const url = 'https://a.example/page';
  const links = fc.array(
    fc.oneof(
      fc.constantFrom(
        ...['<a href="/b">b', '</a>', '<a href=c rel=nofollow>', '<math>', '<mi>', '<![CDATA[', ']]>', '<template>'],
        ...['</template>', '<base href="/d/">', '<img alt=picture>', '<td>', '<table>', '</table>', '<form action=e>'],
      ),
      pieces.map((parts) => parts.slice(0, 1).join('')),
    ),
    { maxLength: 24 },
  );

  test('finds what each finds alone', () => {
    fc.assert(
      fc.property(links, fc.boolean(), fc.boolean(), (parts, text, xhtml) => {
        const html = parts.join('');
        const options = { url, text, xhtml };
        const looks = { url, spam: true, headings: true };
        const { page, readers } = extractBeside(html, options, pageReaders(looks));
        assert.deepEqual(page, extractPage(html, options));
        if (readers === undefined) return;
        const [beside, alone] = [readingOf(readers, { url }), readPage(html, looks)];
        assert.deepEqual(beside.metadata, alone.metadata);
        assert.deepEqual([beside.content.text, beside.headings], [alone.content.text, alone.headings]);
      }),
      { numRuns: 1000 },
    );
  });

  test('shares the pass but in XHTML', () => {
    const shares = (xhtml: boolean) =>
      extractBeside('<p>a', { url, xhtml }, pageReaders({ url, spam: true })).readers !== undefined;
    assert.deepEqual([shares(false), shares(true)], [true, false]);
  });

  test('finds its way where the others take a CDATA section for a comment', () => {
    const html = '<a href=b>c<svg><![CDATA[<a href=d>]]></svg></a><![CDATA[<a href=e>]]><a href=f>';
    const { page } = extractBeside(html, { url }, pageReaders({ url, spam: true }));
    assert.deepEqual(
      page.links.map((link) => [link.url, link.text]),
      [
        ['https://a.example/b', 'c<a href=d>'],
        ['https://a.example/f', ''],
      ],
    );
  });
});
