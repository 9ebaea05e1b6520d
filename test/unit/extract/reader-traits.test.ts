import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { byteSourceOf } from '../../../src/extract/byte-text.ts';
import { ANY_TAG, BLOCK, READ } from '../../../src/extract/element-traits.ts';
import type { ExtractOptions } from '../../../src/extract/extract-options.ts';
import { HtmlScanner } from '../../../src/extract/html-scanner.ts';
import { NameMemory } from '../../../src/extract/name-memory.ts';
import { PageReader, readAlone } from '../../../src/extract/page-reader.ts';
import { type PageReaders, pageReaders, readingOf } from '../../../src/extract/read-page.ts';
import { type MarkupReader, type ReaderMakers, scanOnce } from '../../../src/extract/scan-once.ts';
import { TagMemory } from '../../../src/extract/tags/tag-memory.ts';

const url = 'https://a.example/page';
const looks = { url, spam: true, headings: true };

/** Tells a reader of everything, also of what the reader says means nothing to it. */
class Teller implements MarkupReader {
  readonly startTraits = ANY_TAG;
  readonly endTraits = ANY_TAG;
  readonly takesText = true;
  readonly told: MarkupReader;

  constructor(told: MarkupReader) {
    this.told = told;
  }

  startTag(): boolean {
    return this.told.startTag();
  }

  rawText(): void {
    this.told.rawText();
  }

  endTag(): void {
    this.told.endTag();
  }

  text(): void {
    this.told.text();
  }

  end(): void {
    this.told.end?.();
  }
}

const names = fc.constantFrom(
  ...'a abbr article aside b body button div dd dl dt font footer form h1 h2 h3 h4 html img li link main math meta mi nav'.split(
    ' ',
  ),
  ...'noscript p script section span style svg table td template textarea time title tr ul video x-y'.split(' '),
);
const attributes = fc.constantFrom(
  ...[
    '',
    '',
    ' ',
    ' class=byline',
    ' class="author x"',
    ' id=nav',
    ' style="display:none"',
    ' href="/a>b"',
    " title='a\"b'",
  ],
  ...[
    ' rel=author href=/c',
    ' href="https://creativecommons.org/licenses/by/4.0/"',
    ' itemprop=name',
    ' content="2020-01-02"',
  ],
  ...[
    ' hidden',
    '/',
    ' color=red',
    ' name=robots content=noindex',
    ' a"b>c',
    ' =x=">"',
    ' a=b="',
    ' a = "',
    ' x="a long value of an attribute"',
  ],
);
const pieces = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.tuple(names, attributes).map(([name, said]) => `<${name}${said}>`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '<a rel=author href=/c>Jane Doe</a>',
        '<a href="https://creativecommons.org/licenses/by/4.0/">',
        '<p>',
      ),
    },
    { weight: 3, arbitrary: names.map((name) => `</${name}>`) },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        'word ',
        'By Jane Doe',
        '12 May 2020',
        ' ',
        '<!--',
        '-->',
        '<![CDATA[',
        ']]>',
        '"',
        '</p x=">">',
      ),
    },
  ),
  { maxLength: 40 },
);

function findings(page: PageReader): unknown {
  const { links, anchor: _, ...rest } = page.elements;
  return [rest, links.resolve((reference) => reference), page.visibleText];
}

/** All that the readers of a page find, five times in a row: what its tags mean is known then, but not to who is told all. */
function found(html: string, options: ExtractOptions, tellsAll: boolean): unknown[] {
  const tags = tellsAll ? undefined : new TagMemory();
  const memory = new NameMemory();
  const makers = [
    (scanner: HtmlScanner) => new PageReader(scanner, options),
    ...pageReaders({ ...looks, names: memory }),
  ] as ((scanner: HtmlScanner) => MarkupReader)[];
  const told = tellsAll ? makers.map((make) => (scanner: HtmlScanner) => new Teller(make(scanner))) : makers;
  return [1, 2, 3, 4, 5].map(() => {
    const readers = scanOnce(byteSourceOf(html), told as ReaderMakers<MarkupReader[]>, tags).map((reader) =>
      reader instanceof Teller ? reader.told : reader,
    );
    const [page, ...others] = readers as [PageReader, ...PageReaders];
    const { content, metadata, headings, spamSigns } = readingOf(others as unknown as PageReaders, { url });
    const walked = others[3];
    const { hidden, alts, refreshes, covers } = walked as unknown as Record<string, unknown>;
    const signs = spamSigns?.({ text: content.text, linkCount: 0 });
    return [findings(page), content.text, content.markdown, metadata, headings, signs, hidden, alts, refreshes, covers];
  });
}

describe('what a reader says means nothing to it', () => {
  test('changes nothing that it finds', () => {
    fc.assert(
      fc.property(pieces, fc.boolean(), fc.boolean(), (parts, text, scripting) => {
        const html = parts.join('');
        const options = { url, text, scripting };
        assert.deepEqual(found(html, options, false), found(html, options, true));
      }),
      { numRuns: 1000 },
    );
  });

  test('is passed over where a page is read for its links alone', () => {
    fc.assert(
      fc.property(pieces, fc.boolean(), (parts, text) => {
        const html = parts.join('');
        const source = byteSourceOf(html);
        const [page] = scanOnce<[PageReader]>(source, [(scanner) => new PageReader(scanner, { url, text })]);
        if (!page.isLost) assert.deepEqual(findings(readAlone(source, { url, text })), findings(page));
      }),
      { numRuns: 1500 },
    );
  });
});

describe('wantedTraits', () => {
  test('leaves out the tags without them, and nothing else', () => {
    const soup = fc.array(fc.constantFrom(...'<p <a <x- </p </td </b > / = " \' x ab \n < é &'.split(' '), ' '), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(fc.oneof(pieces, soup), fc.constantFrom(READ, BLOCK, READ | BLOCK), (parts, wanted) => {
        const html = parts.join('');
        const some = tags(html, wanted).map(({ at }) => at);
        const all = tags(html, ANY_TAG).filter(({ traits }) => (traits & wanted) !== 0);
        assert.deepEqual(
          some,
          all.map(({ at }) => at),
        );
      }),
      { numRuns: 3000 },
    );
  });
});

function tags(html: string, wanted: number): { readonly at: number; readonly traits: number }[] {
  const scanner = new HtmlScanner(byteSourceOf(html));
  scanner.wantedTraits = wanted;
  const found: { readonly at: number; readonly traits: number }[] = [];
  while (scanner.next() !== 'end') found.push({ at: scanner.tokenStart, traits: scanner.traits });
  return found;
}
