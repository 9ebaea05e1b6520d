import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTopicWeb, scoreTopic } from '../../../../tools/score-focus.ts';

test('a focused crawl of a web of topics finds the topic’s pages at least three times as fast as breadth-first', () => {
  const { graph, topics } = makeTopicWeb(3000);
  for (const by of ['description', 'samples'] as const) {
    const { breadth, focused } = scoreTopic(graph, topics[1], by);
    const at = 3;
    assert.ok(focused.harvest[at] >= 3 * breadth.harvest[at], `${by}: ${focused.harvest[at]} ${breadth.harvest[at]}`);
    assert.ok(focused.recall[at] >= 0.5, `${by}: ${focused.recall[at]}`);
  }
});
