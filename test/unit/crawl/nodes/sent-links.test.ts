import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SentLinks } from '../../../../src/crawl/nodes/sent-links.ts';

describe('links that were sent', () => {
  test('are remembered, never invented, and forgotten with what was lost', () => {
    const sent = new SentLinks(8);
    assert.equal(sent.has(3n), false);
    sent.add(3n);
    assert.equal(sent.has(3n), true);
    assert.equal(sent.has(11n), false, 'the same place, another link');
    sent.clear();
    assert.equal(sent.has(3n), false);
  });

  test('the one that comes more often keeps its place', () => {
    const sent = new SentLinks(8);
    sent.add(3n);
    for (let times = 0; times < 2; times++) sent.has(3n);
    for (let times = 0; times < 2; times++) sent.add(11n);
    assert.equal(sent.has(3n), true, 'it was seen three times, the other twice');
    for (let times = 0; times < 3; times++) sent.add(11n);
    assert.equal(sent.has(11n), true, 'by now it is the more popular');
    assert.equal(sent.has(3n), false);
  });

  test('none are where none may be', () => {
    const sent = new SentLinks(0);
    sent.add(3n);
    assert.equal(sent.has(3n), false);
  });
});
