import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLoopback, pageAccess } from '../../../../src/web/http/access/page-access.ts';

test('loopback needs no token; what others can reach gets one where none is given', () => {
  assert.equal(pageAccess({ host: '127.0.0.1' }).access.isOpen, true);
  for (const asked of [
    { host: '0.0.0.0' },
    { host: '192.0.2.1' },
    { host: '127.0.0.1', allowHost: ['search.example'] },
  ]) {
    const { access, madeToken = '' } = pageAccess(asked);
    assert.equal(access.isOpen, false);
    assert.ok(madeToken.length >= 32);
    assert.equal(access.roleOf(madeToken), 'control');
    assert.notEqual(pageAccess(asked).madeToken, madeToken);
  }
});

test('a token that is given counts everywhere, and none is made', () => {
  const settings = { viewToken: 'a-view-token-of-ours', controlToken: '', publicSearch: true };
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const { access, madeToken } = pageAccess({ host }, settings);
    assert.equal(madeToken, undefined);
    assert.equal(access.isOpen, false);
    assert.equal(access.isPublicSearch, true);
    assert.equal(access.roleOf('a-view-token-of-ours'), 'view');
    assert.equal(access.roleOf(''), undefined);
  }
});

test('loopback in all its forms', () => {
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.1', '::1', '0:0:0:0:0:0:0:1'])
    assert.equal(isLoopback(host), true, host);
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.evil.example', '127.evil.example', '', '::ffff:10.0.0.1'])
    assert.equal(isLoopback(host), false, host);
});
