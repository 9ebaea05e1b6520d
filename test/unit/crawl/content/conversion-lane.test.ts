import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as turn } from 'node:timers/promises';
import { ConversionLane } from '../../../../src/crawl/content/conversion-lane.ts';
import type { ThreadWork } from '../../../../src/crawl/content/conversion-thread.ts';
import { PATIENT_LIMITS } from '../../convert/documents/patient-limits.ts';

const order: ThreadWork['text']['order'] = {
  looks: { contentSketch: false, spam: false },
  ...{ kind: 'text', url: 'http://a.test/', mediaType: 'text/plain', limits: PATIENT_LIMITS },
  bytes: Buffer.from('Spiders spin webs.'),
};

test('a thread that has nothing to read is ended, and the next document gets another', async () => {
  await using lane = new ConversionLane(PATIENT_LIMITS.maxMs, 0, undefined, 1);
  for (let round = 0; round < 2; round++) {
    const answer = await lane.work<'text'>(order, () => false);
    assert.ok('text' in answer, JSON.stringify(answer));
    while (lane.isOpen) await turn(1);
  }
  // What waits in turn meets no idle time.
  const both = await Promise.all([lane.work<'text'>(order, () => false), lane.work<'text'>(order, () => false)]);
  for (const answer of both) assert.ok('text' in answer, JSON.stringify(answer));
});
