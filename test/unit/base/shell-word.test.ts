import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shellWord } from '../../../src/base/shell-word.ts';

test('words of a command are quoted where they must be', () => {
  for (const [text, word] of [
    ['my-crawl', 'my-crawl'],
    ['/tmp/a.b/c', '/tmp/a.b/c'],
    ['C:\\crawls\\one', 'C:\\crawls\\one'],
    ['my crawl', '"my crawl"'],
    ["it's", '"it\'s"'],
    ['$HOME x', "'$HOME x'"],
    ["a'$b", "'a'\\''$b'"],
    ['', '""'],
  ])
    assert.equal(shellWord(text), word);
});
