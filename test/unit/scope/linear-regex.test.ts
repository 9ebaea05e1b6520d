import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { LinearRegex } from '../../../src/scope/linear-regex.ts';
import { RegexSyntaxError } from '../../../src/scope/regex-syntax.ts';
import { propertyRuns } from '../../property-runs.ts';

describe('expressions as people write them', () => {
  const cases: [string, string[], string[]][] = [
    [
      '\\.(gif|jpe?g)$',
      ['https://a.test/x.jpg', 'https://a.test/x.jpeg'],
      ['https://a.test/x.jpg?y', 'https://a.test/xjpg'],
    ],
    [
      '^https?://([a-z0-9-]+\\.)*example\\.org/',
      ['http://example.org/', 'https://a.b.example.org/x'],
      ['https://example.org.evil.test/'],
    ],
    ['(?i)/Calendar/\\d{4}/', ['https://a.test/CALENDAR/2024/'], ['https://a.test/calendar/24/']],
    [
      '[?&]page=[1-9]\\d{2,}',
      ['https://a.test/?page=100', 'https://a.test/?x=1&page=12345'],
      ['https://a.test/?page=10'],
    ],
    ['^$', [''], ['x']],
    ['', ['', 'anything'], []],
    ['(?<year>20\\d\\d)-(?:0[1-9]|1[0-2])', ['/2024-12'], ['/2024-13']],
    ['[^]', ['x'], ['']],
    ['[]', [], ['', 'x']],
    ['a{0}b{2}c{1,}d{0,1}$', ['bbc', 'bbccd'], ['bc', 'bbdd']],
    ['\\x41\\u0042[\\]\\-\\\\]', ['AB]', 'AB-', 'AB\\'], ['ABx']],
    ['(?i)[^a]', ['b'], ['a', 'A', 'aAaA']],
    ['a.*?b', ['axxb'], ['ax']],
  ];
  for (const [source, matching, others] of cases) {
    test(source || '(empty)', () => {
      const regex = new LinearRegex(source);
      for (const text of matching) assert.equal(regex.test(text), true, text);
      for (const text of others) assert.equal(regex.test(text), false, text);
    });
  }
});

test('what cannot be decided in linear time, or is a mistake, is refused', () => {
  const cases: [string, RegExp][] = [
    ['(a)\\1', /at character 4: back-references/],
    ['\\k<x>', /back-references/],
    ['a(?=b)', /at character 2: look-ahead/],
    ['(?<!a)b', /look-behind/],
    ['\\bword', /word boundaries/],
    ['\\p{L}', /escape \\p is not supported/],
    ['(?i:a)', /only \(…\)/],
    ['*a', /nothing to repeat/],
    ['a**', /nothing to repeat/],
    ['^*', /anchor/],
    ['a{2', /"\{" must begin a count/],
    ['a{3,2}', /wrong order/],
    ['a{5000}', /counts go up to/],
    ['((a{100}){100}){100}', /too large/],
    ['(((){900}){900}){900}', /too large/],
    ['(a', /not closed/],
    ['a)', /no "\("/],
    ['[a', /not closed/],
    ['[a-', /not closed/],
    ['[z-a]', /wrong order/],
    ['[\\d-z]', /both ends/],
    ['a]', /no partner/],
    ['a\\', /escapes nothing/],
    ['\\xg0', /hexadecimal/],
    ['a'.repeat(3000), /longer than/],
  ];
  for (const [source, message] of cases) {
    assert.throws(
      () => new LinearRegex(source),
      (error: Error) => error instanceof RegexSyntaxError && message.test(error.message),
      source,
    );
  }
});

describe('against the expressions of JavaScript', () => {
  const literal = fc.constantFrom('a', 'b', 'c', 'A', '1', '/', '-', '\\.', '\\?', '\\d', '\\w', '\\W', '\\s', '.');
  const classItem = fc.constantFrom('a', 'b', 'A-C', '0-9', '\\d', '\\w', '.', '/', 'a-c', '\\-', '\\S');
  const characterClass = fc
    .tuple(fc.constantFrom('', '^'), fc.array(classItem, { maxLength: 3 }))
    .map(([negation, items]) => `[${negation}${items.join('')}]`);
  const quantifier = fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}', '{0,3}', '{1,}', '{0}');
  const { expression } = fc.letrec<{ expression: string; sequence: string; atom: string; group: string }>((tie) => ({
    expression: fc.oneof(
      { depthSize: 'small' },
      tie('sequence'),
      fc.tuple(tie('sequence'), tie('expression')).map(([left, right]) => `${left}|${right}`),
    ),
    sequence: fc
      .array(
        fc.oneof(
          tie('atom'),
          fc.tuple(tie('atom'), quantifier).map((parts) => parts.join('')),
          fc.constantFrom('^', '$'),
        ),
        {
          maxLength: 4,
        },
      )
      .map((parts) => parts.join('')),
    atom: fc.oneof({ depthSize: 'small' }, literal, characterClass, tie('group')),
    // The empty alternative keeps a group from being a bare anchor, which may not be repeated.
    group: fc
      .tuple(fc.constantFrom('(?:', '('), tie('expression'), fc.constantFrom('a?)', '|b)'))
      .map((parts) => parts.join('')),
  }));
  const subject = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', 'A', 'C', '1', '0', '/', '-', '.', '?', ' ', 'é', '\n'),
    maxLength: 12,
  });

  test('same verdict on every text', () => {
    fc.assert(
      fc.property(
        expression,
        fc.boolean(),
        fc.array(subject, { minLength: 1, maxLength: 8 }),
        (source, ignoreCase, texts) => {
          const oracle = new RegExp(source, ignoreCase ? 'i' : '');
          const regex = new LinearRegex(ignoreCase ? `(?i)${source}` : source);
          for (const text of texts)
            assert.equal(regex.test(text), oracle.test(text), `${source} on ${JSON.stringify(text)}`);
        },
      ),
      { numRuns: propertyRuns(1500) },
    );
  });
});

test('expressions that defeat backtracking are harmless, and memory stays bounded', () => {
  const subject = `https://a.test/${'a'.repeat(20_000)}!`;
  for (const source of [
    '(a+)+$',
    '^https:..a.test.(a|a)*$',
    '(a*)*b',
    '(.*)(.*)(.*)x$',
    'a{0,50}a{50}$',
    '(a|b|ab)*c',
  ]) {
    assert.equal(new LinearRegex(source).test(subject), false, source);
  }
  // Each text leads through other sets of states: more of them than are remembered.
  const wide = new LinearRegex('[ab]*a[ab]{12}c');
  let seed = 1;
  let text = '';
  for (let index = 0; index < 5000; index++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    text += seed & 65536 ? 'a' : 'b';
  }
  assert.equal(wide.test(`${text}c`), text.at(-13) === 'a');
  assert.equal(wide.test(`${text}d`), false);
});
