import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { parseRobots } from '../../../../src/fetch/robots/robots-parser.ts';
import { robotsText } from '../../../../src/fetch/robots/robots-text.ts';
import { propertyRuns } from '../../../property-runs.ts';

function robots(...lines: string[]): ReturnType<typeof parseRobots> {
  return parseRobots(lines.join('\n'));
}

function allows(body: string, agent: string, url: string): boolean {
  return parseRobots(body).judge(agent, url).allowed;
}

/**
 * One pass with flags and no groups, as the reference implementation goes about it: for plain lines, lower-case
 * names and paths without escapes.
 */
function allowsInOnePass(lines: readonly [string, string][], agent: string, path: string): boolean {
  let specific = false;
  let global = false;
  let separated = false;
  let everSpecific = false;
  const best: Record<string, number> = {};
  for (const [key, value] of lines) {
    if (key === 'user-agent') {
      if (separated) specific = global = separated = false;
      if (value === '*') global = true;
      else if (value === agent) everSpecific = specific = true;
    } else if ((key === 'allow' || key === 'disallow') && (specific || global)) {
      separated = true;
      const expression = value.replace(/\$$/, '\n').replace(/[?$.]/g, '\\$&').replaceAll('*', '.*').replace('\n', '$');
      if (!new RegExp(`^${expression}`).test(path)) continue;
      const kind = `${specific ? 'specific' : 'global'} ${key}`;
      best[kind] = Math.max(best[kind] ?? 0, value.length);
    }
  }
  const group = everSpecific ? 'specific' : 'global';
  return (best[`${group} allow`] ?? 0) >= (best[`${group} disallow`] ?? 0);
}

describe('parseRobots: groups and rules', () => {
  test('agrees with a one-pass reading of random files', () => {
    const pattern = fc.string({ unit: fc.constantFrom('/', 'a', 'b', '*', '$'), maxLength: 5 });
    const line = fc.oneof(
      fc.tuple(fc.constant('user-agent'), fc.constantFrom('*', 'bot', 'other', 'third')),
      fc.tuple(fc.constantFrom('allow', 'disallow'), pattern),
      fc.tuple(fc.constantFrom('sitemap', 'crawl-delay', 'content-signal', ''), fc.constantFrom('1', '/a')),
    );
    const path = fc.string({ unit: fc.constantFrom('/', 'a', 'b'), maxLength: 6 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), path, (lines, rest) => {
        const file = parseRobots(lines.map(([key, value]) => (key === '' ? '' : `${key}: ${value}`)).join('\n'));
        for (const agent of ['bot', 'other', 'unknown']) {
          const { allowed } = file.judge(agent, `http://site.test/x${rest}`);
          assert.equal(allowed, allowsInOnePass(lines, agent, `/x${rest}`));
        }
      }),
      { numRuns: propertyRuns(3000) },
    );
  });

  test('all groups of an agent are one; `*` counts for those that no group names', () => {
    const file = robots(
      'User-agent: orbweaver',
      'Disallow: /a',
      'User-agent: *',
      'Disallow: /b',
      'User-agent: other',
      'User-agent: ORBWEAVER/2.0',
      'Disallow: /c',
      'User-agent: *',
      'Disallow: /d',
    );
    const verdicts = (agent: string) => ['/a', '/b', '/c', '/d'].map((url) => file.judge(agent, url).allowed);
    assert.deepEqual(verdicts('Orbweaver'), [false, true, false, true]);
    assert.deepEqual(verdicts('nobody'), [true, false, true, false]);
    assert.deepEqual(verdicts('*'), [true, false, true, false]);
    assert.deepEqual(verdicts(''), [true, false, true, false]);
    assert.deepEqual(verdicts('Orbweaver/1.0 (+https://site.test/bot)'), verdicts('Orbweaver'));
  });

  test('a group without rules frees its agent from the `*` group', () => {
    const file = robots('User-agent: *', 'Disallow: /', '', 'User-agent: orbweaver');
    assert.equal(file.judge('orbweaver', '/').allowed, true);
    assert.equal(file.judge('other', '/').allowed, false);
  });

  test('the longest pattern decides, Allow on a tie, and the verdict names rule and line', () => {
    const file = robots(
      'User-agent: *',
      'Disallow: /page',
      'Allow: /page',
      'Allow: /p',
      'Disallow: /*.gif',
      'Disallow:',
    );
    assert.deepEqual(file.judge('x', '/page'), { allowed: true, rule: 'Allow: /page', line: 3 });
    assert.deepEqual(file.judge('x', '/page.gif'), { allowed: false, rule: 'Disallow: /*.gif', line: 5 });
    assert.deepEqual(file.judge('x', '/p'), { allowed: true, rule: 'Allow: /p', line: 4 });
    assert.deepEqual(file.judge('x', '/other'), { allowed: true });
    const twice = robots('User-agent: *', 'Disallow: /a', 'Disallow: /a');
    assert.equal(twice.judge('x', '/a').line, 2);
  });

  test('robots.txt itself is always allowed; other files of that name are not', () => {
    const body = 'User-agent: *\nDisallow: /\n';
    assert.equal(allows(body, 'x', 'http://site.test/robots.txt'), true);
    assert.equal(allows(body, 'x', 'http://site.test/robots.txt#top'), true);
    assert.equal(allows(body, 'x', 'http://site.test/a/robots.txt'), false);
    assert.equal(allows(body, 'x', 'http://site.test/robots.txt.bak'), false);
  });

  test('who allows index.html allows the folder', () => {
    const body = 'User-agent: *\nAllow: /a/index.html\nDisallow: /';
    assert.equal(allows(body, 'x', '/a/'), true);
    assert.equal(allows(body, 'x', '/a/b'), false);
    assert.equal(allows(body, 'x', '/a/index.html'), true);
  });

  test('misspelt names and missing colons are understood', () => {
    for (const disallow of ['disallow', 'Dissallow', 'dissalow', 'disalow', 'diasllow', 'DISALLAW']) {
      for (const agent of ['user-agent', 'useragent', 'User Agent']) {
        assert.equal(allows(`${agent}: x\n${disallow}: /`, 'x', '/'), false, `${agent} ${disallow}`);
      }
    }
    assert.equal(allows('user-agent x\ndisallow /', 'x', '/'), false);
    assert.equal(allows('user-agent x\ndisallow / now', 'x', '/'), true);
  });

  test('line ends, byte order marks, NUL', () => {
    for (const end of ['\n', '\r', '\r\n', '\n\r']) {
      assert.equal(allows(`\ufeffUser-agent: x${end}Disallow: /`, 'x', '/'), false);
    }
    assert.equal(allows('User-agent: x\nDisallow: /a\0b', 'x', '/a'), false);
    const half = Buffer.concat([Buffer.from([0xef, 0xbb]), Buffer.from('User-agent: x\nDisallow: /')]);
    assert.equal(parseRobots(half).judge('x', '/').allowed, false);
  });

  test('names that go on past their token', () => {
    const body = 'User-agent: bot1\nDisallow: /1\n\nUser-agent: bot2\nDisallow: /2\n\nUser-agent: spider\nDisallow: /3';
    assert.equal(allows(body, 'bot1', '/1'), false);
    assert.equal(allows(body, 'bot1', '/2'), true);
    assert.equal(allows(body, 'bot', '/2'), false);
    assert.equal(allows(body, 'spider9', '/3'), false);
    assert.equal(allows(body, 'spider 9', '/3'), true);
    assert.equal(allows('User-agent: 7bot\nDisallow: /', '7bot', '/'), false);
    assert.equal(allows('User-agent: 7bot\nDisallow: /', '8bot', '/'), true);
    assert.equal(allows('User-agent:\nDisallow: /', '8bot', '/'), true);
    assert.equal(allows('User-agent: * all of you\nDisallow: /', 'x', '/'), false);
    assert.equal(allows('User-agent: *\u00a0\nDisallow: /', 'x', '/'), true);
    assert.equal(allows('User-agent: \u212aiwi\nDisallow: /', 'kiwi', '/'), true);
  });
});

describe('parseRobots: what else a file says', () => {
  test('Crawl-delay holds for the agents above it and leaves the rules alone', () => {
    const file = robots(
      'User-agent: a',
      'Crawl-delay: 1.5',
      'User-agent: b',
      'Disallow: /x',
      'User-agent: *',
      'Crawl-delay: 9',
    );
    assert.deepEqual(file.judge('a', '/x'), { allowed: false, rule: 'Disallow: /x', line: 4, crawlDelay: 1.5 });
    assert.deepEqual(file.judge('b', '/x'), { allowed: false, rule: 'Disallow: /x', line: 4 });
    assert.deepEqual(file.judge('c', '/x'), { allowed: true, crawlDelay: 9 });
  });

  test('of several delays the longest counts; what is no number is ignored', () => {
    const delay = (...values: string[]) =>
      robots('User-agent: *', ...values.map((value) => `Crawl-delay: ${value}`)).rulesFor('x').crawlDelay;
    assert.equal(delay('3', '10', '5'), 10);
    assert.equal(delay('.5'), 0.5);
    assert.equal(delay('0'), 0);
    assert.equal(delay('20 # seconds'), 20);
    for (const junk of ['', 'ten', '10s', '-1', '1e3', '1.2.3', '0x10', 'Infinity', '9'.repeat(400)]) {
      assert.equal(delay(junk), undefined, junk);
    }
  });

  test('sitemaps and extensions are kept', () => {
    const file = robots(
      'Sitemap: /s.xml',
      'User-agent: a',
      'User-agent: B',
      'Content-Signal: search=yes, ai-train=no',
      'Disallow:',
      'Site-map: https://site.test/t.xml # comment',
      'Host: site.test',
    );
    assert.deepEqual(file.sitemaps, ['/s.xml', 'https://site.test/t.xml']);
    assert.deepEqual(file.extensions, [
      { line: 4, key: 'Content-Signal', value: 'search=yes, ai-train=no', agents: ['a', 'b'] },
      { line: 7, key: 'Host', value: 'site.test', agents: ['a', 'b'] },
    ]);
  });

  test('problems are named with their lines', () => {
    const file = robots(
      'Disallow: /',
      'User-agent: 1',
      'Disallow: a',
      'Crawl-delay: x',
      'what',
      `Allow: /${'a'.repeat(20_000)}`,
    );
    assert.deepEqual(
      file.problems.map(({ line }) => line),
      [1, 2, 3, 4, 5, 6],
    );
  });
});

describe('parseRobots: hostile files', () => {
  test('never throws, on bytes or on text, and judges the kept text as the bytes', () => {
    const words = fc.constantFrom(
      'User-agent: *\n',
      'disallow:',
      'Allow: ',
      '/',
      '*',
      '%',
      '%2',
      '$',
      '\r',
      '\0',
      '#',
      '\ufffd',
      '\ud800',
      'ü',
    );
    const text = fc.string({ unit: fc.oneof(words, fc.string({ unit: 'binary', maxLength: 3 })), maxLength: 30 });
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      text.map((each) => Buffer.from(each, 'latin1')),
    );
    fc.assert(
      fc.property(
        bytes,
        text,
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (file, other, agent, url) => {
          parseRobots(other).judge(agent, url);
          assert.deepEqual(parseRobots(robotsText(file)).judge(agent, url), parseRobots(file).judge(agent, url));
        },
      ),
      { numRuns: propertyRuns(2000) },
    );
  });

  test('of names in an order the first that the file addresses counts, else those behind it, else everybody', () => {
    const file = robots('User-agent: Bot', 'Disallow: /b', '', 'User-agent: *', 'Disallow: /', 'Crawl-delay: 9');
    const verdict = { rule: 'Disallow: /b', line: 2 };
    assert.deepEqual(file.judge('Bot-News,Bot', '/b'), { allowed: false, ...verdict, group: 'Bot' });
    assert.deepEqual(file.judge('Bot-News,Bot', '/c'), { allowed: true, group: 'Bot' });
    assert.equal(file.judge('Bot-News,Other', '/c').group, '*');
    assert.equal(file.judge('Bot-News,Other', '/c').crawlDelay, 9);
    const both = robots('User-agent: bot-news', 'Allow: /', 'User-agent: bot', 'Disallow: /');
    assert.deepEqual(both.judge('Bot-News,Bot', '/x'), { allowed: true, rule: 'Allow: /', line: 2, group: 'Bot-News' });
    assert.equal(both.judge('Bot,Bot-News', '/x').allowed, false);
    // A User-Agent string with a comma is no list.
    assert.equal(both.judge('Bot/1.0 (x, y)', '/x').allowed, false);
    assert.deepEqual(both.judge('Mozilla/5.0 (KHTML, like Bot)', '/x'), { allowed: true });
  });

  test('names in an order say what the one that counts says alone', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const group = fc.tuple(fc.constantFrom('a', 'b', '*'), fc.constantFrom('Allow: /x', 'Disallow: /', 'Disallow: /x'));
    fc.assert(
      fc.property(fc.array(group, { maxLength: 4 }), fc.uniqueArray(name, { minLength: 2 }), (groups, names) => {
        const file = robots(...groups.flatMap(([to, rule]) => [`User-agent: ${to}`, rule]));
        const { group: counts, ...verdict } = file.judge(names.join(), '/x');
        const addressed = names.find((one) => groups.some(([to]) => to === one)) ?? '*';
        assert.equal(counts, addressed);
        assert.deepEqual(verdict, file.judge(addressed, '/x'));
      }),
      { numRuns: propertyRuns(600) },
    );
  });

  test('many agents over many rules are read once, not multiplied', () => {
    const body = ['User-agent: a\n', 'x: y\n', 'Disallow: /*x*y\n'].map((line) => line.repeat(14_000)).join('');
    const file = parseRobots(body);
    assert.equal(file.judge('a', '/').allowed, true);
    assert.equal(file.extensions[0].agents, file.extensions[13_999].agents);
  });
});
