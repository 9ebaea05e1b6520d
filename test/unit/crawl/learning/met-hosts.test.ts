import assert from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import { LearningJournal } from '../../../../src/crawl/learning/learning-journal.ts';
import { PageClassifier } from '../../../../src/crawl/learning/page-classifier.ts';
import { DomainBudgets } from '../../../../src/frontier/domain-budgets.ts';
import { page } from '../../engines/sqlite/state-folder.ts';

const OPTIONS = { base: 10, perDomain: 5, most: 100, hosts: { base: 2, perDomain: 1, most: 5 } };

test('the journal names a host once that may be met, and every time one that may not', () => {
  const journal = new LearningJournal(new VirtualClock());
  const budgets = new DomainBudgets(OPTIONS);
  const classifier = new PageClassifier({ budgets, journal, domainOf: () => 'd.test', random: Math.random });
  const judged = ['a', 'b', 'a', 'c', 'b', 'c'].map((host) => {
    const held = classifier.judgeLink(page(`http://${host}.d.test/`))?.by;
    return [held, journal.take() !== undefined];
  });
  assert.deepEqual(judged, [
    [undefined, true],
    [undefined, true],
    [undefined, false],
    ['budget', true],
    [undefined, false],
    ['budget', true],
  ]);
});
