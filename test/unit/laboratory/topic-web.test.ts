import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TopicWeb } from '../../../src/laboratory/topic-web.ts';

const WEB = new TopicWeb({ seed: 1, pages: 4000, topics: 30 });

test('the same seed gives the same pages, another seed others', () => {
  const again = new TopicWeb({ seed: 1, pages: 4000, topics: 30 });
  const other = new TopicWeb({ seed: 2, pages: 4000, topics: 30 });
  for (const page of [0, 17, 3999]) assert.deepEqual(again.page(page), WEB.page(page));
  assert.notEqual(other.page(17).text, WEB.page(17).text);
});

test('each topic has two to three pages in a hundred, and a quarter have none', () => {
  for (let topic = 0; topic < 30; topic++) {
    const share = WEB.members(topic).length / WEB.pages;
    assert.ok(share > 0.015 && share < 0.035, `${share}`);
  }
  const general = Array.from({ length: WEB.pages }, (_, page) => WEB.topicOf(page)).filter((topic) => topic < 0).length;
  assert.ok(Math.abs(general / WEB.pages - 0.25) < 0.03);
  assert.equal(WEB.topicOf(0), -1);
});

test('about half of the links of a page stay within its topic', () => {
  let links = 0;
  let within = 0;
  for (const page of WEB.members(4)) {
    for (const to of WEB.targets(page)) {
      links++;
      if (WEB.topicOf(to) === 4) within++;
    }
  }
  assert.ok(within / links > 0.35 && within / links < 0.6, `${within / links}`);
});

test('links have the words of the contract, and lead to pages of the web once each', () => {
  const { links } = WEB.page(WEB.members(7)[0]);
  assert.equal(new Set(links.map(({ to }) => to)).size, links.length);
  for (const { to, url, anchor, around } of links) {
    assert.equal(url, WEB.url(to));
    assert.ok(anchor.length > 0 && around.split(' ').length === 8);
  }
});
