import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { byteSourceOf } from '../../../src/extract/byte-text.ts';
import type { HtmlScanner } from '../../../src/extract/html-scanner.ts';
import { mainContent } from '../../../src/extract/main-content/main-content.ts';
import { pageMetadata } from '../../../src/extract/metadata/page-metadata.ts';
import { readPage } from '../../../src/extract/read-page.ts';
import { type MarkupReader, scanOnce } from '../../../src/extract/scan-once.ts';
import { pageSpamSigns } from '../../../src/extract/spam/page-signs.ts';

/** Writes down all that it is told; the given elements are raw text to it. */
class Notes implements MarkupReader {
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
