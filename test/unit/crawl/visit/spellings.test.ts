import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Claim } from '../../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { Spellings } from '../../../../src/crawl/visit/spellings.ts';

const URL_OF_PAGE = 'http://h.test/a' as CanonicalUrl;
const CLAIM = { task: { url: URL_OF_PAGE, purpose: 'page' } } as unknown as Claim;

/** A visit that is led to the spellings in turn, and ends with a page. Whether it came to its end. */
function visit(spellings: Spellings, ...led: readonly string[]): boolean {
  for (const to of led) if (spellings.follow(spellings.prepare(CLAIM), to) === undefined) return false;
  spellings.settled(spellings.prepare(CLAIM), { kind: 'stored' });
  return true;
}

test('a server that leads to another session at every visit is followed at every visit', () => {
  const spellings = new Spellings();
  for (let run = 0; run < 50; run++) assert.ok(visit(spellings, `/a?sid=${run}`), `visit ${run}`);
});

test('a server that changes its mind on slashes is followed, one that goes round in a visit is not', () => {
  const spellings = new Spellings();
  assert.ok(visit(spellings, '/a/'));
  assert.ok(visit(spellings, '/a'));
  assert.ok(visit(spellings, '/a/'));
  assert.ok(!visit(spellings, '/a', '/a/'));
  assert.ok(!visit(spellings, '/a?1', '/a?2', '/a?3', '/a?4', '/a?5', '/a?6'));
});

test('an address that is gone is forgotten: the next visit asks for the page by its name', () => {
  const spellings = new Spellings();
  assert.ok(visit(spellings, '/a/'));
  const claim = spellings.prepare(CLAIM);
  assert.equal(claim.address, 'http://h.test/a/');
  spellings.settled(claim, { kind: 'gone', status: 404 });
  assert.equal(spellings.prepare(CLAIM).address, undefined);
});

test('addresses of any length take little memory', () => {
  const spellings = new Spellings();
  const long = 'x'.repeat(100_000);
  for (let page = 0; page < 250; page++) {
    const claim = { task: { url: `http://h.test/${page}`, purpose: 'page' } } as unknown as Claim;
    assert.ok(spellings.follow(claim, `/${page}?sid=${long}`));
  }
  const first = { task: { url: 'http://h.test/0', purpose: 'page' } } as unknown as Claim;
  assert.equal(spellings.prepare(first).address, undefined, 'the first ones have made room');
});
