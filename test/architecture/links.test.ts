import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { anchorsOf, deadLinks, deadPointers, linksOf, unknownFileNames } from './document-links.ts';
import { inFolder, listFiles, readRepository } from './repository.ts';

const files = listFiles();
const documents = readRepository(['.md']);

describe('Documents', () => {
  test('every link leads to a file or heading that exists', () => {
    assert.ok(documents.has('docs/architecture.md'), 'the documents were not found');
    assert.deepEqual(deadLinks(documents, files), []);
  });

  test('every source file that is named exists', () => {
    // What was removed is told in the change log.
    const current = new Map([...documents].filter(([document]) => document !== 'CHANGELOG.md'));
    assert.deepEqual(unknownFileNames(current, files), []);
  });

  test('every page that the source points at exists', () => {
    assert.deepEqual(
      deadPointers(inFolder(readRepository(['.ts', '.cjs']), 'src', 'bench', 'tools', 'bin'), files),
      [],
    );
  });
});

describe('Documents: the checks can fail', () => {
  const pages = (text: string): ReadonlyMap<string, string> =>
    new Map([
      ['docs/page.md', text],
      ['docs/other.md', '# Other\n\n## Two words, `code`\n'],
    ]);
  const present = ['docs/page.md', 'docs/other.md', 'src/base/clock.ts'];

  const dead: readonly (readonly [string, string])[] = [
    ['a file', '[x](none.md)'],
    ['an image', '![x](none.png "title")'],
    ['a reference', '[x]\n\n[x]: ./none.md'],
    ['HTML', '<a href="none.md">x</a>'],
    ['a heading of the page', '# Page\n[x](#paeg)'],
    ['a heading of another', '[x](other.md#three)'],
    ['above the root', '[x](../../none.md)'],
    ['a link whose text is code', '[`x`](none.ts)'],
  ];
  for (const [name, text] of dead) {
    test(`dead: ${name}`, () => assert.equal(deadLinks(pages(text), present).length, 1));
  }

  const alive: readonly (readonly [string, string])[] = [
    ['files and folders', '[a](other.md) [b](../src/base/clock.ts) [c](../src/) [d](..)'],
    ['headings', '# A page\n[x](#a-page) [y](other.md#two-words-code) [z](./other.md#other)'],
    ['other sites', '[x](https://example.org/none.md) [y](mailto:a@example.org)'],
    ['code', '`[x](none.md)`\n\n```\n[x](none.md)\n```\n'],
  ];
  for (const [name, text] of alive) {
    test(`alive: ${name}`, () => assert.deepEqual(deadLinks(pages(text), present), []));
  }

  test('links are told with their lines', () => {
    assert.deepEqual(linksOf('a\n```\nb\n```\n[c](d)'), [{ target: 'd', line: 5 }]);
  });

  test('headings of the same name are numbered', () => {
    assert.deepEqual([...anchorsOf('# A b\n## A b\n```\n# c\n```\n<a id="set"></a>')], ['a-b', 'a-b-1', 'set']);
  });

  test('a source file that does not exist is named', () => {
    const text = '`clock.ts`, `base/clock.ts`, `../src/base/clock.ts`, `url/clock.ts`, `*-kinds.ts`';
    assert.deepEqual(unknownFileNames(pages(text), present), ['docs/page.md:1: there is no url/clock.ts']);
  });

  test('a comment points at a page that does not exist', () => {
    const source = '// see docs/other.md\n// and docs/none.md.\n';
    assert.deepEqual(deadPointers(new Map([['src/a.ts', source]]), present), ['src/a.ts:2: there is no docs/none.md']);
  });
});
