import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TopicFeatures, TopicJudge } from '../../../../src/contracts/content/topic.ts';
import { TopicWeb } from '../../../../src/laboratory/topic-web.ts';
import { topicFeatures } from '../../../../src/rank/topic/topic-features.ts';
import { createTopicJudge } from '../../../../src/rank/topic/topic-judge.ts';

const WEB = new TopicWeb({ seed: 5, pages: 3000, topics: 10 });
const MADE = new Map<number, TopicFeatures>();
const LIMITS = { tunnel: 3, dryAfter: 50 };

const SPIDERS = `Jumping spiders are a family of spiders that hunt by day. With some 6,000 species they are the largest family
of spiders. A jumping spider sees better than other arthropods: its four pairs of eyes give it a view all around, and the
large pair in front can be turned to look at prey. When a jumping spider leaps, it fastens a thread of silk first. They
stalk insects, and some eat other spiders. Males dance before females.`;

const PORCELAIN = `Porcelain is made by firing clay with kaolin at high heat. The strength and whiteness of the ware come from
glass and mullite that form within the body. Workshops in the east made it a thousand years before those in Europe found how.
Plates, cups and figures were painted in cobalt blue under the glaze, shipped across the sea, and copied everywhere. A spider
is painted on one of the plates.`;

const HUNTERS = `Portia hunts by stealth. Her large forward eyes give her sharp sight, and before she leaps at prey she
fastens a thread of silk. Males dance before females. Species of the family stalk insects by day, and turn to look around.`;

function page(title: string, text: string, links: readonly (readonly [string, string])[] = []): TopicFeatures {
  return topicFeatures({ title, text, links: links.map(([anchor, url]) => ({ anchor, around: '', url })) });
}

function sampled(title: string, text: string): TopicFeatures {
  return topicFeatures({ title, text, links: [], names: true });
}

test('with two words alone, a page about them is on topic and one that mentions them is not', () => {
  const judge = createTopicJudge({ description: 'jumping spiders', ...LIMITS });
  const on = judge.judge(page('Jumping spider', SPIDERS), 0);
  const off = judge.judge(page('Porcelain', PORCELAIN), 0);
  assert.ok(on.relevance > 0.7, `${on.relevance}`);
  assert.ok(off.relevance < 0.3, `${off.relevance}`);
  assert.match(on.why, /^relevance \.\d\d: cosine \.\d\d to the topic; words: (jumping, spiders|spiders, jumping)$/);
  assert.deepEqual(judge.harvest(), { pages: 2, relevant: 1, recentRate: 0.5 });
});

test('with sample pages, what is like them is on topic, and named by their words', () => {
  const judge = createTopicJudge({
    like: [sampled('Jumping spider', SPIDERS)],
    unlike: [sampled('Porcelain', PORCELAIN)],
    ...LIMITS,
  });
  const on = judge.judge(page('Portia', HUNTERS), 0);
  const off = judge.judge(
    page('Kilns', 'Clay with kaolin is fired at high heat; the ware is painted under the glaze.'),
    0,
  );
  assert.ok(on.relevance >= 0.5, `${on.relevance}`);
  assert.ok(off.relevance < 0.2, `${off.relevance}`);
  assert.match(on.why, /words: \w+/);
});

test('of the links of a page the one whose words tell of the topic promises most, and more on a page of the topic', () => {
  const links = [
    ['Jumping spiders of Asia', 'http://zoo.test/a'],
    ['read more', 'http://zoo.test/jumping-spiders'],
    ['Contact', 'http://zoo.test/contact'],
  ] as const;
  const judge = createTopicJudge({ description: 'jumping spiders', ...LIMITS });
  const [byAnchor, byUrl, neither] = judge.judge(page('Jumping spider', SPIDERS, links), 0).promise;
  const elsewhere = judge.judge(page('Porcelain', PORCELAIN, links), 2).promise;
  assert.ok(byAnchor > neither + 0.2 && byUrl > neither + 0.2, `${byAnchor} ${byUrl} ${neither}`);
  assert.ok(elsewhere[0] < byAnchor && elsewhere[2] < neither);
  for (const promise of [byAnchor, byUrl, neither, ...elsewhere]) assert.ok(promise > 0 && promise < 1);
});

test('a few pages off topic may be passed through, once it is known where the topic lies', () => {
  const judge = createTopicJudge({ description: 'jumping spiders', ...LIMITS });
  assert.equal(judge.follows(0.1, 9), true);
  judge.judge(page('Jumping spider', SPIDERS), 0);
  assert.equal(judge.follows(0.1, 2), true);
  assert.equal(judge.follows(0.1, 3), false);
  assert.equal(judge.follows(0.6, 3), true);
});

test('the harvest has dried up after so many pages without a relevant one', () => {
  const judge = createTopicJudge({ description: 'jumping spiders', ...LIMITS });
  for (let visit = 0; visit < 49; visit++) judge.judge(page('Porcelain', PORCELAIN), 1);
  judge.judge(page('Jumping spider', SPIDERS), 0);
  for (let visit = 0; visit < 49; visit++) judge.judge(page('Porcelain', PORCELAIN), 1);
  assert.equal(judge.driedUp, false);
  judge.judge(page('Porcelain', PORCELAIN), 1);
  assert.equal(judge.driedUp, true);
});

test('a page that is judged again counts in no harvest, and nothing is learnt from it', () => {
  const judge = createTopicJudge({ description: 'jumping spiders', ...LIMITS });
  judge.judge(page('Jumping spider', SPIDERS), 0);
  const kept = JSON.stringify(judge.toJSON());
  for (let visit = 0; visit < 60; visit++) judge.judgeAgain(page('Porcelain', PORCELAIN), 1);
  const again = judge.judgeAgain(page('Jumping spider', SPIDERS, [['jumping spiders', '/more']]), 0);
  assert.ok(again.relevance > 0.7, `${again.relevance}`);
  assert.equal(again.promise.length, 1);
  assert.equal(judge.driedUp, false);
  assert.deepEqual(judge.harvest(), { pages: 1, relevant: 1, recentRate: 1 });
  assert.equal(JSON.stringify(judge.toJSON()), kept);
});

test('it learns the words that go with the topic, and a page without the topic’s own becomes relevant', () => {
  const { judge } = afterPages(600);
  const fresh = createTopicJudge({ description: WEB.description(2), ...LIMITS });
  const described = new Set(WEB.description(2).split(' '));
  const members = WEB.members(2).slice(-60);
  const score = (by: TopicJudge): number =>
    members.filter((member) => {
      const { title, text } = WEB.page(member);
      const without = (words: string) =>
        words
          .split(' ')
          .filter((word) => !described.has(word))
          .join(' ');
      return by.judge(page(without(title), without(text)), 0).relevance >= 0.5;
    }).length;
  assert.equal(score(fresh), 0);
  assert.ok(score(judge) > members.length / 3);
});

test('the topic does not drift: after thousands of pages of a neighbouring one, these are still off topic', () => {
  const { judge } = afterPages(600);
  const neighbours = WEB.members(3);
  let relevant = 0;
  for (let visit = 0; visit < 1000; visit++)
    relevant += judge.judge(featuresOf(neighbours[visit % neighbours.length]), 1).relevance >= 0.5 ? 1 : 0;
  assert.ok(relevant < 0.05 * 1000, `${relevant}`);
  const found = WEB.members(2).filter((member) => judge.judge(featuresOf(member), 0).relevance >= 0.5).length;
  assert.ok(found > 0.5 * WEB.members(2).length, `${found} of ${WEB.members(2).length}`);
});

test('the words of the topic keep their weight when nearly all pages are of it', () => {
  const judge = createTopicJudge({ description: 'jumping spiders', ...LIMITS });
  for (let visit = 0; visit < 20; visit++) judge.judge(page('Porcelain', PORCELAIN), 0);
  const first = judge.judge(page('Jumping spider', SPIDERS), 0).relevance;
  for (let visit = 0; visit < 500; visit++) judge.judge(page('Jumping spider', SPIDERS), 0);
  assert.ok(judge.judge(page('Jumping spider', SPIDERS), 0).relevance >= first - 0.1);
});

test('a judge kept and made again judges the same; what is kept is bounded', () => {
  const { judge, options } = afterPages(600);
  const text = JSON.stringify(judge);
  assert.ok(text.length < 2_000_000);
  const again = createTopicJudge(options, JSON.parse(text));
  assert.deepEqual(again.harvest(), judge.harvest());
  for (const number of [5, 50, 500]) {
    const features = featuresOf(number);
    const [one, other] = [judge.judge(features, 1), again.judge(features, 1)];
    // Tables are rounded when kept, and weighed anew when read.
    assert.ok(Math.abs(one.relevance - other.relevance) < 0.05, `${one.relevance} ${other.relevance}`);
    for (const [at, promise] of one.promise.entries()) assert.ok(Math.abs(promise - other.promise[at]) < 0.05);
  }
});

test('what cannot be used of what was kept is left aside', () => {
  for (const kept of [null, 'x', {}, { format: 9 }, { format: 1, statistics: { counts: 'AA' }, links: 3 }]) {
    const judge = createTopicJudge({ description: 'jumping spiders', ...LIMITS }, kept);
    assert.ok(judge.judge(page('Jumping spider', SPIDERS), 0).relevance > 0.7);
  }
});

test('pages without words and without links can be judged', () => {
  const judge = createTopicJudge({ description: '', ...LIMITS });
  const { relevance, promise } = judge.judge(page('', ''), 0);
  assert.ok(relevance < 0.5);
  assert.equal(promise.length, 0);
});

/** A judge of a topic of the synthetic web that has met the first pages of it. */
function afterPages(count: number) {
  const options = { description: WEB.description(2), ...LIMITS };
  const judge = createTopicJudge(options);
  for (let number = 0; number < count; number++) judge.judge(featuresOf(number), 0);
  return { judge, options };
}

function featuresOf(number: number): TopicFeatures {
  const features = MADE.get(number) ?? topicFeatures(WEB.page(number));
  MADE.set(number, features);
  return features;
}
