import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SpamScore, SpamSign } from '../../../../src/contracts/content/spam.ts';
import { HostSpam } from '../../../../src/rank/spam/host-spam.ts';
import { NO_SPAM } from '../../../../src/rank/spam/spam-score.ts';

const SPAM: SpamScore = {
  score: 0.9,
  signs: [{ technique: 'hidden-text', weight: 0.9, evidence: '120 words hidden (opacity: 0)' }],
};

function visited(spam: number, honest: number): HostSpam {
  const hosts = new HostSpam();
  for (let page = 0; page < spam; page++) hosts.observe('a.example', SPAM);
  for (let page = 0; page < honest; page++) hosts.observe('a.example', NO_SPAM);
  return hosts;
}

describe('HostSpam', () => {
  test('tells the score alone as it tells it with the signs', () => {
    const own: SpamSign = { technique: 'link-farm', weight: 0.7, evidence: 'links' };
    for (const [spam, honest] of [
      [0, 5],
      [1, 0],
      [10, 1],
    ] as const) {
      const hosts = visited(spam, honest);
      assert.equal(hosts.scoreOf('a.example'), hosts.of('a.example')?.score);
      hosts.setOwnSign('a.example', 'link-farm', own);
      assert.equal(hosts.scoreOf('a.example'), hosts.of('a.example')?.score);
    }
    assert.equal(new HostSpam().scoreOf('a.example'), 0);
  });

  test('knows nothing of hosts it has not seen', () => assert.equal(new HostSpam().of('a.example'), undefined));

  test('one bad page makes no bad host', () => {
    assert.ok((visited(1, 0).of('a.example')?.score ?? 1) < 0.5);
    assert.ok((visited(3, 60).of('a.example')?.score ?? 1) < 0.1);
    assert.equal(visited(0, 5).of('a.example')?.score, 0);
  });

  test('a host full of them is one, and says why', () => {
    const { score, signs } = visited(10, 1).of('a.example') ?? NO_SPAM;
    assert.ok(score >= 0.5, String(score));
    assert.equal(signs[0].evidence, '10 of 11 pages are spam, such as: 120 words hidden (opacity: 0)');
    assert.ok(signs[0].weight <= score);
  });

  test('takes bare scores', () => {
    const hosts = new HostSpam();
    for (let page = 0; page < 9; page++) hosts.observe('a.example', 0.8);
    assert.deepEqual(hosts.of('a.example'), { score: 0.655, signs: [] });
  });

  test('signs of the host itself come on top, and can be withdrawn', () => {
    const hosts = visited(0, 4);
    hosts.setOwnSign('a.example', 'link-farm', { technique: 'link-farm', weight: 0.7, evidence: 'one of 9' });
    assert.deepEqual(hosts.of('a.example')?.score, 0.7);
    hosts.setOwnSign('a.example', 'link-farm', undefined);
    hosts.setOwnSign('b.example', 'link-farm', undefined);
    assert.equal(hosts.of('a.example')?.score, 0);
    assert.equal(hosts.of('b.example'), undefined);
  });

  test('memory is bounded, and hosts with signs are kept longest', () => {
    const hosts = new HostSpam({ maxHosts: 50 });
    hosts.observe('spam.example', SPAM);
    for (let host = 0; host < 500; host++) hosts.observe(`h${host}.example`, NO_SPAM);
    assert.ok(hosts.size <= 50);
    assert.ok(hosts.of('spam.example') !== undefined);
  });

  test('comes back from its snapshot as it was', () => {
    const hosts = visited(4, 2);
    hosts.setOwnSign('b.example', 'cloaking', { technique: 'cloaking', weight: 0.6, evidence: 'other text' });
    const again = new HostSpam();
    again.restore(JSON.parse(JSON.stringify(hosts.snapshot())));
    for (const host of ['a.example', 'b.example']) assert.deepEqual(again.of(host), hosts.of(host));
    again.restore({ form: 99 });
    again.restore(undefined);
    assert.equal(again.size, 2);
  });
});
