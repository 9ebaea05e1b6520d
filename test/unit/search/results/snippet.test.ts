import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { SnippetPart } from '../../../../src/contracts/search-service.ts';
import { createAnalyzer } from '../../../../src/index/analysis/analyzer.ts';
import type { AnalyzeQuery } from '../../../../src/search/query/asked-words.ts';
import { parseQuery } from '../../../../src/search/query/query-parser.ts';
import { CodeUnits } from '../../../../src/search/results/code-units.ts';
import { highlighted, snippetOf } from '../../../../src/search/results/snippet.ts';
import { WantedWords } from '../../../../src/search/results/wanted-words.ts';
import { WordMatcher } from '../../../../src/search/results/word-matcher.ts';

const { analyzeQuery, termsOf } = createAnalyzer();
const analyze: AnalyzeQuery = (text, language) => analyzeQuery(text, language);
const matcherOf = (query: string, language = 'en') =>
  new WordMatcher(
    new WantedWords(parseQuery(query, (text) => analyze(text, language)).asked),
    termsOf,
    language,
    new CodeUnits(),
  );
const shown = (parts: readonly SnippetPart[]) => parts.map(({ text, match }) => (match ? `[${text}]` : text)).join('');
const filler = 'Nothing of interest is told in this sentence, nor in the next. '.repeat(20);

describe('snippetOf, of a long text', () => {
  const rest = filler.repeat(40);

  it('shows the passage of its beginning that holds every word, though one behind it repeats them', () => {
    const text = `${filler}A heron eats a frog. ${rest}Heron and frog: the heron, the frog. ${filler}`;
    assert.match(shown(snippetOf(text, matcherOf('heron frog'))), /A \[heron\] eats a \[frog\]/);
  });

  it('shows a passage from any place where its beginning lacks a word, or has the words apart', () => {
    const lacking = `A heron. ${rest}One heron eats a frog. ${filler}`;
    assert.match(shown(snippetOf(lacking, matcherOf('heron frog'))), /One \[heron\] eats a \[frog\]/);
    const apart = `A heron. ${filler}A frog. ${rest}One heron eats a frog. ${filler}`;
    assert.match(shown(snippetOf(apart, matcherOf('heron frog'))), /One \[heron\] eats a \[frog\]/);
  });

  it('looks further where the beginning has two of three words side by side', () => {
    const near = `A heron stands ${'and looks at the river '.repeat(5)}for a newt there.`;
    const text = `${filler}${near} ${filler}A frog. ${rest}One heron eats a frog and a newt. ${filler}`;
    assert.match(shown(snippetOf(text, matcherOf('heron frog newt'))), /\[heron\] eats a \[frog\] and a \[newt\]/);
  });

  it('cuts no word where the beginning ends', () => {
    const text = `${'x'.repeat(15_996)} catalogues ${rest}The cat is here. ${filler}`;
    assert.match(shown(snippetOf(text, matcherOf('cat'))), /The \[cat\] is here/);
  });
});

describe('highlighted', () => {
  it('marks every form of a word, whatever its case', () => {
    assert.equal(
      shown(highlighted('Searching searched SEARCHES researcher', matcherOf('search'))),
      '[Searching] [searched] [SEARCHES] researcher',
    );
  });

  it('marks words with accents, prefixes, names with signs and scripts without spaces', () => {
    assert.equal(shown(highlighted('Ein Café, zwei Cafés', matcherOf('cafe'))), 'Ein [Café], zwei [Cafés]');
    assert.equal(shown(highlighted('Immunity – immunology', matcherOf('immun*'))), '[Immunity] – [immunology]');
    assert.equal(shown(highlighted('C and C++ are two', matcherOf('c++'))), 'C and [C++] are two');
    assert.equal(shown(highlighted('東京大学の研究', matcherOf('東京大学', 'ja'))), '[東京大学]の研究');
  });

  it('marks short words whose second letter is another one in their stem', () => {
    assert.equal(shown(highlighted('Dying, DIES, day, die', matcherOf('die'))), '[Dying], [DIES], day, [die]');
    assert.equal(shown(highlighted('Öl und Oel', matcherOf('öl', 'de'))), '[Öl] und [Oel]');
    assert.equal(shown(highlighted('oog, og, olie', matcherOf('oog', 'nl'))), '[oog], [og], olie');
    assert.equal(shown(highlighted('x, xy, x y', matcherOf('x'))), '[x], xy, [x] y');
  });

  it('marks names and flags as one, with their signs', () => {
    const marked = (query: string, text: string) => shown(highlighted(text, matcherOf(query)));
    assert.equal(marked('pg_stat_activity', 'See pg_stat_activity.'), 'See [pg_stat_activity].');
    assert.equal(marked('__init__.py', '__init__.py, an init'), '[__init__.py], an [init]');
    assert.equal(marked('select_related', 'my_select_related_x'), 'my_[select_related]_x');
    assert.equal(marked('git --onto', 'git rebase --onto: onto ---onto'), '[git] rebase [--onto]: [onto] ---[onto]');
    assert.equal(marked('name', 'Name: ____name____'), '[Name]: ____[name]____');
  });

  it('replaces control characters and drops marks that turn the text around', () => {
    assert.equal(shown(highlighted('a\u001b[31mcat\u0007\u202e dog', matcherOf('dog'))), 'a [31mcat [dog]');
  });
});

describe('snippetOf', () => {
  it('shows any white space of a beginning as single spaces', () => {
    assert.equal(shown(snippetOf(' a\tb \n c  d\u00a0\u00a0e f\n', matcherOf('spider'))), 'a b c d e f');
  });

  it('finds the passage that has most of the query', () => {
    const text = `${filler}A cat sat there. ${filler}The cat and the dog slept in the garden. ${filler}A dog barked.`;
    assert.equal(
      shown(snippetOf(text, matcherOf('cat dog garden'))).includes('The [cat] and the [dog] slept in the [garden].'),
      true,
    );
  });

  it('prefers a phrase to its scattered words', () => {
    const text = `The engine made a search slow. ${filler}A search engine is a tool. ${filler}`;
    assert.match(shown(snippetOf(text, matcherOf('"search engine"'))), /A \[search\] \[engine\] is a tool/);
  });

  it('takes two passages where one does not hold all words', () => {
    const text = `${filler}The cat sat there. ${filler}The dog slept. ${filler}`;
    const snippet = shown(snippetOf(text, matcherOf('cat dog')));
    assert.match(snippet, /\[cat\].* … .*\[dog\]/);
  });

  it('shows the description or the beginning where no word stands in the text', () => {
    assert.equal(
      shown(snippetOf(filler, matcherOf('zebra'), { description: 'A page about  zebras.' })),
      'A page about [zebras].',
    );
    assert.match(shown(snippetOf(filler, matcherOf('zebra'))), /^Nothing of interest .*next\. …$/);
    assert.deepEqual(snippetOf('', matcherOf('zebra')), []);
  });

  it('is short, cut between words, and made of the text alone', () => {
    const words = fc.array(fc.constantFrom('cat', 'dogs', 'Zürich', 'x.', 'information,', '𝒳', '\n', 'end!'), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(words, (list) => {
        const text = list.join(' ');
        const snippet = snippetOf(text, matcherOf('cat dog'));
        const plain = snippet.map((part) => part.text).join('');
        assert.ok(plain.length <= 400, String(plain.length));
        assert.ok(plain.isWellFormed());
        const known = new Set(text.split(/\s+/));
        for (const word of plain.split(/\s+/)) assert.ok(word === '' || word === '…' || known.has(word), word);
      }),
    );
  });

  it('holds any text together', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), fc.string({ maxLength: 20 }), (text, query) => {
        const parts = snippetOf(text, matcherOf(query));
        assert.ok(parts.every((part) => !/[\u0000-\u001f\u007f-\u009f]/.test(part.text) && part.text.isWellFormed()));
      }),
    );
  });
});
