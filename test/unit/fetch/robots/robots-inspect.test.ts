import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OrbweaverError } from '../../../../src/base/errors.ts';
import { inspectRobots, type RobotsQuestion } from '../../../../src/fetch/robots/robots-inspect.ts';

const body = 'User-agent: orbweaver\nDisallow: /private/ # keep out\nCrawl-delay: 2.5\n\nUser-agent: *\nDisallow: /';

test('inspectRobots: every answer has every key', () => {
  assert.deepEqual(
    inspectRobots({ body, agent: 'Orbweaver/1.0 (+https://site.test)', url: 'https://site.test/private/x' }),
    {
      allowed: false,
      rule: 'Disallow: /private/',
      line: 2,
      crawlDelay: 2.5,
    },
  );
  assert.deepEqual(inspectRobots({ body: '', agent: 'orbweaver', url: '/x' }), {
    allowed: true,
    rule: null,
    line: null,
    crawlDelay: null,
  });
});

test('inspectRobots: base64, no agent, `*`, a path alone, several names', () => {
  const bodyBase64 = Buffer.from(body).toString('base64');
  assert.equal(inspectRobots({ bodyBase64, url: '/x' }).line, 6);
  assert.equal(inspectRobots({ bodyBase64, agent: '*', url: '/x' }).line, 6);
  assert.equal(inspectRobots({ bodyBase64, agent: ['other', 'orbweaver'], url: '/x' }).allowed, true);
  assert.equal(inspectRobots({ bodyBase64, agent: 'orbweaver' }).allowed, true);
});

test('inspectRobots: what is no question is refused with a code', () => {
  const questions = [{}, { body: 1 }, { body, agent: 7 }, { body, agent: [7] }, { body, url: {} }];
  for (const question of questions) {
    assert.throws(
      () => inspectRobots(question as unknown as RobotsQuestion),
      (error) => error instanceof OrbweaverError && error.code === 'INPUT_INVALID',
    );
  }
});
