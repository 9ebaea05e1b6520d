import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { UsageFacts } from '../../../../src/contracts/content/usage-facts.ts';
import { readContentSignal } from '../../../../src/extract/usage-preferences/content-signal.ts';
import { readContentUsage } from '../../../../src/extract/usage-preferences/content-usage.ts';
import { pagePreferences } from '../../../../src/extract/usage-preferences/page-preferences.ts';
import { readRobotsPreferences } from '../../../../src/extract/usage-preferences/robots-preferences.ts';
import { readRobotsMeta, readRobotsTag } from '../../../../src/extract/usage-preferences/robots-tags.ts';
import { readTdmRules, tdmReservation } from '../../../../src/extract/usage-preferences/tdm-reservation.ts';
import { combinePreferences } from '../../../../src/extract/usage-preferences/usage-preferences.ts';

/** Without the words. */
function uses({ said: _, ...rest }: UsageFacts): Partial<UsageFacts> {
  return rest;
}

describe('Content-Usage: examples of the AIPREF drafts', () => {
  const read = (text: string): Partial<UsageFacts> => uses(readContentUsage(text, 'test'));

  test('training allowed, search disallowed', () => {
    assert.deepEqual(read('train-ai=y, search=n'), { aiTrain: 'allowed', search: 'disallowed' });
  });

  test('values that are no tokens say nothing, and the last of a key counts', () => {
    assert.deepEqual(read('train-ai=y, train-ai, search=n, search="n"'), {});
  });

  test('parameters are passed over', () => {
    assert.deepEqual(read('train-ai;allow=n, train-ai=y'), { aiTrain: 'allowed' });
    assert.deepEqual(read('train-ai=n;has;parameters="?"'), { aiTrain: 'disallowed' });
  });

  test('keys are in lower case: a field with others is broken as a whole', () => {
    assert.deepEqual(read('Train-AI=n, search=n'), {});
    assert.deepEqual(read('search=n, train-ai=n,'), {});
    assert.deepEqual(read('search=n train-ai=n'), {});
  });

  test('other values than y and n, and unknown labels, say nothing', () => {
    assert.deepEqual(read('train-ai=no, search=?1, x=(a "b";c 1.5), ai-use=n'), { aiInput: 'disallowed' });
  });

  test('a general label forbids its parts, unless they are named', () => {
    assert.deepEqual(read('bots=n, search=y'), {
      search: 'allowed',
      aiTrain: 'disallowed',
      aiInput: 'disallowed',
      tdm: 'disallowed',
    });
    assert.deepEqual(read('all=y'), { tdm: 'allowed' });
  });

  test('what was said is kept', () => {
    assert.deepEqual(readContentUsage('train-ai=n', 'header Content-Usage').said, ['header Content-Usage: train-ai=n']);
  });
});

describe('Content-Signal', () => {
  test('the example of contentsignals.org', () => {
    assert.deepEqual(uses(readContentSignal('ai-train=no, search=yes, ai-input=yes', 'test')), {
      aiTrain: 'disallowed',
      search: 'allowed',
      aiInput: 'allowed',
    });
  });

  test('loose spelling is understood, unknown signals and values are not', () => {
    assert.deepEqual(uses(readContentSignal('Search = YES ai-train=No;use=reference, ai-input=maybe', 'test')), {
      search: 'allowed',
      aiTrain: 'disallowed',
    });
  });

  test('of a signal given twice the stricter counts', () => {
    assert.equal(readContentSignal('ai-train=no, ai-train=yes', 'test').aiTrain, 'disallowed');
  });
});

describe('robots.txt', () => {
  const EXAMPLE = `User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: / train-ai=n
Content-Usage: /ai-ok/ train-ai=y

User-Agent: ExampleBot
Allow: /
Content-Usage: / train-ai=y
`;

  test('the example of draft-ietf-aipref-attach', () => {
    const others = readRobotsPreferences(EXAMPLE, 'orbweaver');
    assert.equal(others.of('https://example.org/test').aiTrain, 'disallowed');
    assert.equal(others.of('https://example.org/ai-ok/test').aiTrain, 'allowed');
    assert.equal(readRobotsPreferences(EXAMPLE, 'ExampleBot').of('https://example.org/test').aiTrain, 'allowed');
    assert.deepEqual(others.of('https://example.org/ai-ok/x').said, [
      'robots.txt line 5, Content-Usage /ai-ok/: train-ai=y',
    ]);
  });

  test('Content-Signal in its group, with and without a path, beside Content-Usage', () => {
    const robots = readRobotsPreferences(
      '# As a condition of accessing this website\nUser-agent: *\nContent-Signal: search=yes,ai-train=no\nContent-Signal: /open/*.html$ ai-train=yes\nContent-Usage: train-ai=n\nAllow: /\n',
      'orbweaver',
    );
    assert.deepEqual(uses(robots.of('https://a.example/')), { search: 'allowed', aiTrain: 'disallowed' });
    assert.deepEqual(uses(robots.of('https://a.example/open/a.html')), { aiTrain: 'disallowed' });
    assert.equal(robots.of('https://a.example/open/a.html').said.length, 2);
  });

  test('conflicting preferences for one path: the strictest counts', () => {
    const robots = readRobotsPreferences(
      'User-agent: *\nContent-Usage: / train-ai=y\nContent-Usage: / train-ai=n',
      'x',
    );
    assert.equal(robots.of('https://a.example/').aiTrain, 'disallowed');
  });

  test('a group that names us silences the * groups; groups are merged', () => {
    const text =
      'User-agent: *\nContent-Signal: ai-train=yes\n\nUser-agent: Orbweaver/1.0\nUser-agent: other\nContent-Signal: search=no\n\nUser-agent: orbweaver\nContent-Signal: ai-input=no';
    assert.deepEqual(uses(readRobotsPreferences(text, 'Orbweaver').of('https://a.example/')), {
      search: 'disallowed',
      aiInput: 'disallowed',
    });
    assert.deepEqual(uses(readRobotsPreferences(text, 'bot3').of('https://a.example/')), { aiTrain: 'allowed' });
  });

  test('lines before any group are said to everybody', () => {
    const robots = readRobotsPreferences('Content-Signal: ai-train=no\nUser-agent: me\nDisallow:', 'me');
    assert.equal(robots.of('https://a.example/').aiTrain, 'disallowed');
  });

  test('paths are compared as those of rules: escapes, queries, the end', () => {
    const robots = readRobotsPreferences(
      'User-agent: *\nContent-Usage: /%7Ejoe/caf%c3%a9$ train-ai=n\nContent-Usage: /*?print= search=n',
      'x',
    );
    assert.equal(robots.of('https://a.example/~joe/café').aiTrain, 'disallowed');
    assert.equal(robots.of('https://a.example/~joe/café/').aiTrain, undefined);
    assert.equal(robots.of('https://a.example/a?print=1').search, 'disallowed');
  });
});

describe('TDM Reservation Protocol', () => {
  test('the first rule whose location matches counts', () => {
    const rules = readTdmRules(
      JSON.stringify([
        {
          location: '/directory-a/*',
          'tdm-reservation': 1,
          'tdm-policy': 'https://provider.com/policies/policy-a.json',
        },
        { location: '/directory-b/html/*.html$', 'tdm-reservation': '1' },
        { location: '/directory-b/images/*', 'tdm-reservation': 0 },
        { location: '/path/foo-%24', 'tdm-reservation': 2 },
      ]),
    );
    assert.deepEqual(uses(rules.of('https://provider.com/directory-a/x')), {
      tdm: 'disallowed',
      tdmPolicy: 'https://provider.com/policies/policy-a.json',
    });
    assert.equal(rules.of('https://provider.com/directory-b/html/a.html').tdm, 'disallowed');
    assert.equal(rules.of('https://provider.com/directory-b/images/a.png').tdm, 'allowed');
    assert.equal(rules.of('https://provider.com/path/foo-$').tdm, undefined);
    assert.equal(rules.of('https://provider.com/other').tdm, undefined);
  });

  test('files that are none say nothing', () => {
    for (const text of ['', '<html>', '[1, null, "x"]', '{"location": 3}', '[[[[']) {
      assert.deepEqual(readTdmRules(text).of('https://a.example/'), { said: [] });
    }
  });

  test('only 0 and 1 are values', () => {
    assert.equal(tdmReservation(' 1 ', undefined, 'header').tdm, 'disallowed');
    assert.equal(tdmReservation('0', 'https://x.example/', 'header').tdmPolicy, undefined);
    assert.equal(tdmReservation('yes', undefined, 'header').tdm, undefined);
  });
});

describe('Robots tags', () => {
  test('noai and noimageai in META robots', () => {
    assert.deepEqual(uses(readRobotsMeta('robots', 'index, follow, noai, noimageai', 'orbweaver')), {
      aiTrain: 'disallowed',
      aiImages: 'disallowed',
    });
    assert.deepEqual(uses(readRobotsMeta('ROBOTS', 'noimageai', 'orbweaver')), { aiImages: 'disallowed' });
    assert.deepEqual(uses(readRobotsMeta('otherbot', 'noai', 'orbweaver')), {});
    assert.equal(readRobotsMeta('Orbweaver', 'none', 'orbweaver').search, 'disallowed');
  });

  test('X-Robots-Tag with names of agents', () => {
    assert.deepEqual(uses(readRobotsTag('noai', 'orbweaver')), { aiTrain: 'disallowed', aiImages: 'disallowed' });
    assert.deepEqual(uses(readRobotsTag('otherbot: noindex, noai', 'orbweaver')), {});
    assert.deepEqual(uses(readRobotsTag('otherbot: noai, Orbweaver: noindex', 'orbweaver')), { search: 'disallowed' });
    assert.deepEqual(uses(readRobotsTag('unavailable_after: 25 Jun 2030 15:00:00 PST, noindex', 'orbweaver')), {
      search: 'disallowed',
    });
  });
});

describe('All sources together', () => {
  test('the strictest counts, the more specific reservation replaces the other', () => {
    const found = pagePreferences({
      url: 'https://a.example/news/1',
      agent: 'orbweaver',
      robots: readRobotsPreferences('User-agent: *\nContent-Signal: search=yes, ai-train=yes', 'orbweaver'),
      tdmRules: readTdmRules('[{"location": "/", "tdm-reservation": 1}]'),
      rawHeaders: ['Content-Usage', 'train-ai=n', 'TDM-Reservation', '0', 'X-Robots-Tag', 'noimageai'],
      metas: [['robots', 'index, follow']],
    });
    assert.deepEqual(uses(found), { search: 'allowed', aiTrain: 'disallowed', aiImages: 'disallowed', tdm: 'allowed' });
    assert.equal(found.said.length, 4);
  });

  test('fields of one name are one dictionary', () => {
    const found = pagePreferences({
      url: 'https://a.example/',
      agent: 'x',
      rawHeaders: ['content-usage', 'train-ai=n', 'Content-Usage', 'search=y, train-ai=y'],
    });
    assert.deepEqual(uses(found), { search: 'allowed', aiTrain: 'allowed' });
  });
});

describe('Properties', () => {
  const preference = fc.constantFrom(undefined, 'allowed' as const, 'disallowed' as const);
  const statement = fc.record({ search: preference, aiTrain: preference, tdm: preference, said: fc.constant([]) });

  test('order and repetition do not change what is combined, and a no stays a no', () => {
    fc.assert(
      fc.property(fc.array(statement, { maxLength: 5 }), (statements) => {
        const combined = combinePreferences(statements);
        assert.deepEqual(combinePreferences([...statements, ...statements].reverse()), combined);
        for (const use of ['search', 'aiTrain', 'tdm'] as const) {
          const told = statements.map((one) => one[use]).filter((one) => one !== undefined);
          assert.equal(combined[use], told.includes('disallowed') ? 'disallowed' : told[0]);
        }
      }),
    );
  });

  test('nothing that others write makes it throw', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'User-agent: *\n',
        'Content-Usage: ',
        '/a* ',
        'train-ai=n',
        ',',
        '"',
        '(',
        'Content-Signal:',
        '%',
        '\n',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.webUrl(), (pieces, url) => {
        const text = pieces.join('');
        pagePreferences({
          url,
          agent: 'orbweaver',
          robots: readRobotsPreferences(text, 'orbweaver'),
          tdmRules: readTdmRules(text),
          rawHeaders: ['content-usage', text, 'content-signal', text, 'x-robots-tag', text, 'tdm-reservation', text],
          metas: [['robots', text]],
        });
      }),
    );
  });
});
