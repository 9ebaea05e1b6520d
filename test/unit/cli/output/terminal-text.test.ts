import assert from 'node:assert/strict';
import { test } from 'node:test';
import { terminalText } from '../../../../src/cli/output/terminal-text.ts';

test('words of strangers steer no terminal, break no line and turn no direction', () => {
  assert.equal(terminalText('a\x1b[2Jb\x9b1mc\x07d'), 'a [2Jb 1mc d');
  assert.equal(terminalText('one\r\ntwo\u2028three\0'), 'one two three ');
  assert.equal(terminalText('safe\u202egpj.exe\u2066'), 'safegpj.exe');
  assert.equal(terminalText('half \ud83d'), 'half \ufffd');
  assert.equal(terminalText('Grüße 日本 😀'), 'Grüße 日本 😀');
});
