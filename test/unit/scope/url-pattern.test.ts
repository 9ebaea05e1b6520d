import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePattern } from '../../../src/scope/url-pattern.ts';
import { canonical } from './tasks.ts';

test('how a pattern begins says what it is held against', () => {
  const cases: [string, string[], string[]][] = [
    ['https://a.test/x', ['https://a.test/x', 'https://a.test/xyz?q=1'], ['http://a.test/x', 'https://a.test/']],
    ['a.test/x', ['https://a.test/x', 'http://a.test/xyz'], ['https://b.test/a.test/x']],
    ['/private/', ['https://a.test/private/x', 'https://b.test:8080/private/'], ['https://a.test/x/private/']],
    ['/list?page=', ['https://a.test/list?page=2'], ['https://a.test/listXpage=2']],
    ['/*/edit', ['https://a.test/x/y/edit'], ['https://a.test/edit', 'https://a.test/x/edit?x']],
    ['*.pdf', ['https://a.test/x.pdf'], ['https://a.test/x.pdf?x']],
    ['HTTPS://A.Test/X*', ['https://a.test/Xy'], ['https://a.test/xy']],
    ['A.Test/X', ['https://a.test/X1'], ['https://a.test/x1']],
    ['*://A.Test/X', ['http://a.test/X'], ['http://a.test/x']],
    ['*/Read*', ['https://a.test/Readme'], ['https://a.test/readme']],
    ['*.example.org/*', ['https://www.example.org/x'], ['https://example.org/']],
    ['example.org/*/x', ['http://example.org/a/b/x'], ['http://www.example.org/a/x']],
    ['http://*', ['http://a.test/'], ['https://a.test/']],
    ['re:/x/\\d+$', ['https://a.test/x/12'], ['https://a.test/x/12/']],
    ['/a\\*b', ['https://a.test/a*bc'], ['https://a.test/axb']],
  ];
  for (const [text, matching, others] of cases) {
    const pattern = compilePattern(text);
    for (const url of matching) assert.equal(pattern.matches(canonical(url)), true, `${text} on ${url}`);
    for (const url of others) assert.equal(pattern.matches(canonical(url)), false, `${text} on ${url}`);
  }
});

test('an expression that is not supported is a mistake in the settings', () => {
  assert.throws(() => compilePattern('re:(a)\\1'), {
    code: 'SETTING_INVALID',
    message: "The pattern 're:(a)\\1' cannot be used: at character 4: back-references are not supported.",
  });
});
