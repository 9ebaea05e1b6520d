import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { QueryNode } from '../../../../src/contracts/search-index.ts';
import { createAnalyzer } from '../../../../src/index/analysis/analyzer.ts';
import { parseQuery } from '../../../../src/search/query/query-parser.ts';
import { querySyntax } from '../../../../src/search/query/query-syntax.ts';

const { analyzeQuery } = createAnalyzer();
const parse = (typed: string) => withoutForms(parseQuery(typed, (text, language) => analyzeQuery(text, language)));
/** What was read, but for the forms of its words: those are the business of others. */
function withoutForms<Read>(read: Read): Read {
  if (Array.isArray(read)) return read.map(withoutForms) as Read;
  if (typeof read !== 'object' || read === null) return read;
  const rest = Object.entries(read).filter(([name]) => name !== 'forms');
  return Object.fromEntries(rest.map(([name, value]) => [name, withoutForms(value)])) as Read;
}
const term = (...terms: string[]): QueryNode => ({ kind: 'term', terms });
const not = (node: QueryNode): QueryNode => ({ kind: 'not', node });
const all: QueryNode = { kind: 'all' };

describe('parseQuery', () => {
  it('asks for all words, stemmed, without stop words', () => {
    const { node, yielding, notes } = parse('the engines of searching');
    assert.deepEqual(node, { kind: 'and', nodes: [term('engin'), term('search')] });
    assert.deepEqual(
      yielding.map(({ text }) => text),
      ['engines', 'searching'],
    );
    assert.deepEqual(notes, []);
  });

  it('keeps stop words where there is nothing else, in phrases, and after a plus', () => {
    assert.deepEqual(parse('the who').node, { kind: 'and', nodes: [term('the'), term('who')] });
    assert.deepEqual(parse('"the cat" dog').phrases[0].node, {
      kind: 'phrase',
      terms: ['the', 'cat'],
      offsets: [0, 1],
    });
    assert.deepEqual(parse('+the cat').firm, [term('the')]);
  });

  it('reads phrases in any kind of quotation marks', () => {
    for (const typed of ['"big cat"', '“big cat”', '„big cat“', '«big cat»'])
      assert.deepEqual(parse(typed).node, { kind: 'phrase', terms: ['big', 'cat'], offsets: [0, 1] }, typed);
  });

  it('reads a word of several parts as a phrase or as one', () => {
    const { node, yielding } = parse('wi-fi lang:en');
    const phrase: QueryNode = { kind: 'phrase', terms: ['wi', 'fi'], offsets: [0, 1] };
    assert.deepEqual(node, { kind: 'or', nodes: [phrase, term('wifi')] });
    assert.equal(yielding[0].loose.length, 2);
  });

  it('lets OR bind closer than the AND between neighbours', () => {
    const expected = { kind: 'and', nodes: [term('cat'), { kind: 'or', nodes: [term('dog'), term('bird')] }] };
    assert.deepEqual(parse('cat dog OR bird').node, expected);
    assert.deepEqual(parse('cat dog | bird').node, expected);
    assert.deepEqual(parse('(cat dog) OR bird').node, {
      kind: 'or',
      nodes: [{ kind: 'and', nodes: [term('cat'), term('dog')] }, term('bird')],
    });
    assert.deepEqual(parse('cat or dog AND bird').node, {
      kind: 'and',
      nodes: [term('cat'), term('dog'), term('bird')],
    });
  });

  it('asks for a word after two hyphens: it is the flag of a command', () => {
    const onto: QueryNode = { kind: 'or', nodes: [term('onto'), term('--onto')] };
    assert.deepEqual(parse('rebase --onto').node, { kind: 'and', nodes: [term('rebas'), onto] });
    assert.deepEqual(
      parse('push --all').yielding.map(({ text }) => text),
      ['push', '--all'],
    );
    assert.deepEqual(parse('push ---force -tags').firm, [not(term('tag'))]);
    assert.deepEqual(parse('cat -- dog').node, { kind: 'and', nodes: [term('cat'), term('dog')] });
  });

  it('leaves out words, phrases and groups', () => {
    assert.deepEqual(parse('cat -dog').node, { kind: 'and', nodes: [term('cat'), not(term('dog'))] });
    assert.deepEqual(parse('cat -"big dog"').firm, [not({ kind: 'phrase', terms: ['big', 'dog'], offsets: [0, 1] })]);
    assert.deepEqual(parse('cat -(dog OR bird)').firm, [not({ kind: 'or', nodes: [term('dog'), term('bird')] })]);
    assert.deepEqual(parse('cat -(-dog)').firm, [term('dog')]);
    assert.deepEqual(parse('-"big dog"').firm, [not({ kind: 'phrase', terms: ['big', 'dog'], offsets: [0, 1] }), all]);
    assert.deepEqual(parse('cat - dog').node, { kind: 'and', nodes: [term('cat'), term('dog')] });
    assert.deepEqual(parse('cat OR -dog').node, {
      kind: 'or',
      nodes: [term('cat'), { kind: 'and', nodes: [all, not(term('dog'))] }],
    });
  });

  it('takes a word for a word where there is nothing but words to leave out', () => {
    const { node, notes } = parse('-dog');
    assert.deepEqual(node, term('dog'));
    assert.match(notes.join(), /nothing but exclusions/);
    assert.deepEqual(parse('-dog site:example.org').firm, [not(term('dog')), all]);
  });

  it('reads conditions on the document', () => {
    const { node, filter, without, onlyFilter } = parse(
      'site:https://Docs.Example.org/guide/ -site:old.example.org lang:de-AT filetype:pdf inurl:Manual -filetype:html -lang:fr',
    );
    assert.deepEqual(node, all);
    assert.equal(onlyFilter, true);
    assert.deepEqual(filter, {
      sites: ['docs.example.org'],
      notSites: ['old.example.org'],
      languages: ['de'],
      mediaTypes: ['application/pdf'],
      inUrl: ['docs.example.org/guide', 'manual'],
    });
    assert.deepEqual(without, {
      languages: ['fr'],
      mediaTypes: ['text/html', 'application/xhtml+xml'],
      inUrl: [],
    });
    assert.deepEqual(parse('site:a.org OR site:b.org cat').filter.sites, ['a.org', 'b.org']);
  });

  it('reads dates in UTC: before excludes the span, after begins with it', () => {
    assert.deepEqual(parse('after:2026 before:2026-05-04').filter, {
      after: Date.UTC(2026, 0, 1),
      before: Date.UTC(2026, 4, 4),
    });
    assert.deepEqual(parse('after:2026-05').filter, { after: Date.UTC(2026, 4, 1) });
    assert.deepEqual(parse('-before:2026').filter, { after: Date.UTC(2026, 0, 1) });
    assert.deepEqual(parse('before:2026-02-30 cat').filter, {});
    assert.match(parse('before:2026-02-30 cat').notes[0], /no date/);
    assert.match(parse('after:2026 before:2025').notes[0], /No date/);
  });

  it('limits words to the title', () => {
    assert.deepEqual(parse('intitle:cats').node, { kind: 'term', terms: ['cat'], field: 'title' });
    assert.deepEqual(parse('-intitle:"big cat"').firm[0], {
      kind: 'not',
      node: { kind: 'phrase', terms: ['big', 'cat'], offsets: [0, 1], field: 'title' },
    });
  });

  it('reads the beginning of a word, folded but not stemmed', () => {
    assert.deepEqual(parse('Bücher*').node, {
      kind: 'or',
      nodes: [
        { kind: 'prefix', prefix: 'bucher' },
        { kind: 'term', terms: analyzeQuery('Bücher', undefined)[0].terms },
      ],
    });
  });

  it('reads what is broken sensibly, with a note', () => {
    const cases: [typed: string, node: QueryNode | undefined, note: RegExp][] = [
      ['"cat dog', { kind: 'and', nodes: [term('cat'), term('dog')] }, /not closed/],
      ['(cat', term('cat'), /not closed/],
      ['cat)', term('cat'), /closing parenthesis/],
      ['cat ()', term('cat'), /nothing between/],
      ['cat ""', term('cat'), /nothing between/],
      ['cat OR', term('cat'), /OR stands between/],
      ['cat site:', term('cat'), /site: has no value/],
      ['cat *', term('cat'), /lone \*/],
      ['cat lang:klingon', term('cat'), /no language tag/],
      ['cat site:///', term('cat'), /names no host/],
      ['cat filetype:py', term('cat'), /inurl:\.py/],
      ['site: example.org cat', term('cat'), /read as site:example\.org/],
      ['', undefined, /^$/],
      ['?!', undefined, /^$/],
    ];
    for (const [typed, node, note] of cases) {
      const parsed = parse(typed);
      assert.deepEqual(parsed.node, node, typed);
      assert.match(parsed.notes.join('\n'), note, typed);
    }
  });

  it('takes what only looks like an operator as words', () => {
    assert.deepEqual(parse('note:cat').notes, []);
    assert.deepEqual(parse('OR gate').yielding.length, 2);
    assert.deepEqual(parse('c++').node, term('c++'));
  });

  it('knows where each word was typed', () => {
    const typed = 'cat -dog +"big  bird" OR fish*';
    for (const { text, start, end } of parse(typed).asked)
      assert.ok(typed.slice(start, end).replace(/["*]/g, '') === text, text);
  });
});

const piece = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom('"', '(', ')', '-', '+', '|', ' OR ', ' AND ', '*', ' ', 'site:', 'lang:', 'before:', 'inurl:', '“'),
  fc.constantFrom('cat', 'dogs', '2026-05', 'example.org', 'the', '東京大学', 'Ünï', 'filetype:pdf', 'intitle:x'),
);

describe('parseQuery, whatever is typed', () => {
  it('never fails, and its places lie in what was typed', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const typed = pieces.join('');
        const { node, asked, firm, phrases, yielding } = parse(typed);
        for (const { start, end } of asked) assert.ok(0 <= start && start <= end && end <= typed.length);
        if (node === undefined) assert.ok(firm.length + phrases.length + yielding.length === 0);
        else assert.ok(canMatch(node), JSON.stringify(node));
      }),
      { numRuns: 500 },
    );
  });

  it('reads plain words as themselves, in order', () => {
    const word = fc.stringMatching(/^[a-z]{3,9}$/).filter((text) => !analyzeQuery(`${text} zebra`, undefined)[0].stop);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), (words) => {
        assert.deepEqual(
          parse(words.join('  ')).yielding.map(({ text }) => text),
          words,
        );
      }),
    );
  });

  it('bounds depth and length', () => {
    assert.doesNotThrow(() => parse('('.repeat(100_000)));
    assert.doesNotThrow(() => parse('-('.repeat(3_000)));
    assert.match(querySyntax('a '.repeat(50_000)).notes.join(), /first 8000 characters/);
  });
});

/** Nothing is asked for by its absence alone, and no group is empty. */
function canMatch(node: QueryNode): boolean {
  switch (node.kind) {
    case 'not':
      return false;
    case 'and':
      return (
        node.nodes.some((part) => part.kind !== 'not') &&
        node.nodes.every((part) => canMatch(part.kind === 'not' ? part.node : part))
      );
    case 'or':
      return node.nodes.length > 0 && node.nodes.every(canMatch);
    case 'phrase':
      return node.terms.length > 1 && node.offsets.length === node.terms.length;
    case 'term':
      return node.terms.length > 0;
    default:
      return true;
  }
}
