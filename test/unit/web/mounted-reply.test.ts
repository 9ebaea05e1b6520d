import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '../../../src/web/frame/html.ts';
import { mountedReply } from '../../../src/web/http/mounted-reply.ts';
import { jsonReply, pageReply } from '../../../src/web/http/reply.ts';

const MOUNT = '/crawls/a%26b';

test('addresses of our own pages move to the mount; what came from outside stays as it is', () => {
  const outside = ' href="/x" <a href="/y">';
  const page = html`<a href="/search?q=1">a</a><form action="/diff"></form><script src="/page.js"></script><a href="//b.example/">b</a><a href="#main">m</a><a href="https://c.example/">${outside}</a><!--library-->`;
  const { body } = mountedReply(pageReply(page), MOUNT);
  assert.equal(
    body,
    `<a href="${MOUNT}/search?q=1">a</a><form action="${MOUNT}/diff"></form><script src="${MOUNT}/page.js"></script><a href="//b.example/">b</a><a href="#main">m</a><a href="https://c.example/">${html`${outside}`}</a><li><a href="/">All crawls</a></li><li><a href="${MOUNT.replace('/crawls/', '/manage/')}">Manage</a></li>`,
  );
});

test('alone on its server nothing moves; data and stored pages never do', () => {
  const page = pageReply(html`<a href="/x">x</a>`);
  assert.equal(mountedReply(page, ''), page);
  const stored = { ...page, headers: { ...page.headers, 'content-security-policy': 'sandbox' } };
  assert.equal(mountedReply(stored, MOUNT).body, page.body);
  assert.equal(mountedReply(jsonReply({ a: ' href="/x"' }), MOUNT).body, '{"a":" href=\\"/x\\""}\n');
  const moved = mountedReply({ status: 302, headers: { location: '/x' }, body: '' }, MOUNT);
  assert.equal(moved.headers.location, `${MOUNT}/x`);
  const away = mountedReply({ status: 302, headers: { location: 'https://b.example/' }, body: '' }, MOUNT);
  assert.equal(away.headers.location, 'https://b.example/');
});
