import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProxyServer } from '../../../../src/fetch/connect/proxy-server.ts';

function credentialsOf(text: string): string {
  return Buffer.from(parseProxyServer(text).authorization?.slice('Basic '.length) ?? '', 'base64').toString();
}

test('escapes in the credentials of a proxy are undone; a percent sign that begins none stands for itself', () => {
  assert.equal(credentialsOf('http://user:p%40w@proxy.example:3128'), 'user:p@w');
  assert.equal(credentialsOf('http://user:100%@proxy.example'), 'user:100%');
  assert.equal(credentialsOf('http://%zz:pw@proxy.example'), '%zz:pw');
});
