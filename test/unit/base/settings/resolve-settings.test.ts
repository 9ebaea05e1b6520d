import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type ErrorCode, OrbweaverError } from '../../../../src/base/errors.ts';
import { robotsAgentOf } from '../../../../src/base/robots-names.ts';
import { resolveSettings, type SettingSources } from '../../../../src/base/settings/resolve-settings.ts';
import { SETTING_GROUPS, SETTING_KEYS, type SettingKey, settingOf } from '../../../../src/base/settings/schema.ts';
import { settingFlags } from '../../../../src/base/settings/setting-flags.ts';
import {
  editDistance,
  environmentName,
  nearestName,
  settingName,
} from '../../../../src/base/settings/setting-names.ts';
import { userAgentOf } from '../../../../src/base/settings/user-agent.ts';
import { defaultUrlOptions } from '../../../../src/url/url-options.ts';

function fault(sources: SettingSources, code: ErrorCode): string {
  try {
    resolveSettings(sources);
  } catch (error) {
    assert.ok(error instanceof OrbweaverError);
    assert.equal(error.code, code);
    return error.message;
  }
  return assert.fail('it should have refused');
}

describe('profiles', () => {
  const file = {
    ...{ delay: '3s', retries: 3, 'robots-agent': 'Ours' },
    profiles: {
      news: { delay: '9s', 'robots-agent': 'Ours-News', 'robots-fallback': 'Ours', scope: 'directory' },
      slow: { delay: '60s' },
      bare: null,
    },
  };

  test('the one that was chosen counts before the rest of the file, and after flags and environment', () => {
    const news = resolveSettings({
      file,
      flags: { profile: 'news', scope: 'any' },
      env: { ORBWEAVER_PROFILE: 'slow' },
    });
    assert.equal(news.settings.delay, 9000);
    assert.equal(news.settings.retries, 3);
    assert.equal(news.settings.scope, 'any');
    assert.equal(news.settings.profile, 'news');
    assert.deepEqual([news.origins.delay, news.origins.retries, news.origins.scope], ['profile', 'file', 'flag']);
    assert.equal(robotsAgentOf(news.settings), 'Ours-News,Ours');
    assert.equal(resolveSettings({ file, env: { ORBWEAVER_PROFILE: 'slow' } }).settings.delay, 60_000);
    assert.equal(resolveSettings({ file: { ...file, profile: 'slow' } }).settings.delay, 60_000);
    assert.equal(resolveSettings({ file: { ...file, profile: 'slow' }, flags: { profile: '' } }).settings.delay, 3000);
    assert.equal(resolveSettings({ file, flags: { profile: 'bare' } }).settings.delay, 3000);
    assert.equal(resolveSettings({ file }).settings.delay, 3000);
    assert.equal(robotsAgentOf(resolveSettings({ file }).settings), 'Ours');
    assert.equal(resolveSettings({ overrides: { profile: 'news' } }).settings.profile, 'news');
  });

  test('each is checked, also those that were not chosen', () => {
    const refused = (profiles: unknown, flags = {}): string => fault({ file: { profiles }, flags }, 'SETTING_INVALID');
    assert.match(refused({ news: {} }, { profile: 'nws' }), /no profile "nws".* are news\./);
    assert.match(refused(undefined, { profile: 'news' }), /no profiles/);
    assert.match(refused({ news: { delay: 'soon' } }), /delay of the profile news in the settings file is "soon"/);
    assert.match(refused(['news']), /takes names/);
    assert.match(refused({ news: 3 }), /profile news takes settings/);
    assert.match(refused({ 'a b': {} }), /"a b" needs a name/);
    assert.match(refused({ news: { profile: 'slow' } }), /names a profile itself/);
    assert.match(
      fault({ file: { profiles: { news: { dely: 1 } } } }, 'SETTING_UNKNOWN'),
      /dely of the profile news.*delay/,
    );
  });
});

describe('precedence', () => {
  test('flag over environment over file over default, with origins', () => {
    const sources = {
      flags: { maxPages: '1', 'max-depth': '1', delay: undefined },
      env: { ORBWEAVER_MAX_PAGES: '2', ORBWEAVER_DELAY: '2s', PATH: '/bin', ORBWEAVER_LANES: undefined },
      file: { 'max-pages': 3, delay: '3s', retries: 3, robots: false },
    };
    const { settings, origins } = resolveSettings(sources);
    assert.equal(settings.maxPages, 1);
    assert.equal(settings.maxDepth, 1);
    assert.equal(settings.delay, 2000);
    assert.equal(settings.robots, false);
    assert.equal(settings.lanes, 8);
    assert.deepEqual(
      [origins.maxPages, origins.maxDepth, origins.delay, origins.retries, origins.lanes],
      ['flag', 'flag', 'environment', 'file', 'default'],
    );
  });

  test('overrides of a program beat all, in internal units', () => {
    const { settings, origins } = resolveSettings({
      overrides: { delay: 50, hosts: { 'a.test': '127.0.0.1' } },
      flags: { delay: '9s' },
    });
    assert.equal(settings.delay, 50);
    assert.equal(settings.hosts['a.test'], '127.0.0.1');
    assert.equal(origins.delay, 'override');
  });

  test('no source at all gives the defaults', () => {
    const { settings, origins } = resolveSettings();
    assert.equal(settings.scope, 'domain');
    assert.equal(settings.maxPages, Number.POSITIVE_INFINITY);
    assert.ok(Object.values(origins).every((origin) => origin === 'default'));
  });
});

describe('refusals', () => {
  test('an unknown name names the nearest, in the words of its source', () => {
    assert.equal(
      fault({ flags: { maxPage: 5 } }, 'SETTING_UNKNOWN'),
      'The flag --max-page does not exist. The nearest one is --max-pages.',
    );
    assert.equal(
      fault({ env: { ORBWEAVER_DEALY: '5' } }, 'SETTING_UNKNOWN'),
      'The environment variable ORBWEAVER_DEALY does not exist. The nearest one is ORBWEAVER_DELAY.',
    );
    assert.equal(
      fault({ file: { politness: 'host' } }, 'SETTING_UNKNOWN'),
      'The setting politness in the settings file does not exist. The nearest one is politeness.',
    );
    assert.match(fault({ file: { maxPages: 5 } }, 'SETTING_UNKNOWN'), /nearest one is max-pages/);
    assert.match(fault({ file: { __proto__x: 5, constructor: 1 } }, 'SETTING_UNKNOWN'), /constructor/);
  });

  test('a value that does not fit tells what is accepted', () => {
    assert.equal(
      fault({ flags: { delay: 'soon' } }, 'SETTING_INVALID'),
      'The flag --delay is "soon", but it takes a duration such as 500ms, 2s, 5m, 1h or 1d (a plain number counts seconds) from 0s to 1d.',
    );
    assert.match(fault({ file: { delay: null } }, 'SETTING_INVALID'), /in the settings file is null/);
  });

  test('a bad value is told even where another source beats it, and all problems at once', () => {
    const message = fault({ flags: { delay: '1s' }, file: { delay: 'soon', dealy: 1 } }, 'SETTING_INVALID');
    assert.equal(message.split('\n').length, 2);
  });

  test('secrets are not repeated', () => {
    for (const flags of [
      { credentials: 'https://a.test=hunter2' },
      { credentials: 'https://me:hunter2@a.test=basic a:b' },
      { header: ['https://a.test=hunter2'] },
      { proxy: 'socks://me:hunter2@a.test' },
    ]) {
      assert.doesNotMatch(fault({ flags }, 'SETTING_INVALID'), /hunter2/);
    }
  });

  test('values that contradict each other', () => {
    assert.equal(
      fault({ flags: { lease: '1m' } }, 'SETTING_INVALID'),
      'lease (1m) must be longer than total-timeout (5m).',
    );
    assert.match(fault({ flags: { 'dns-ttl-min': '1d', 'dns-ttl-max': '1h' } }, 'SETTING_INVALID'), /dns-ttl-max/);
    assert.match(fault({ flags: { 'backoff-start': '1h', 'backoff-max': '1m' } }, 'SETTING_INVALID'), /backoff-max/);
  });

  test('modes of several nodes: those that would put two nodes on one host are refused, with the way out', () => {
    const nodes = { store: 'postgres://db/crawls', partitions: 16 };
    const faults: readonly (readonly [Record<string, unknown>, RegExp])[] = [
      [
        { 'partition-by': 'url' },
        /partition-by \(url\).*keep its delay: give site or hierarchy.*simulate run --cluster/,
      ],
      [{ assignment: 'independent' }, /assignment \(independent\).*folder of its own.*simulate run --cluster/],
      [{ 'leaving-links': 'cross-over' }, /leaving-links \(cross-over\).*give exchange or firewall/],
      [{ 'leaving-links': 'firewall' }, /leaving-links \(firewall\) needs assignment \(static\)/],
      [{ assignment: 'static' }, /assignment \(static\) needs nodes: how many, from 1 to partitions \(16\)/],
      [{ assignment: 'static', nodes: 17 }, /needs nodes/],
      [{ assignment: 'static', nodes: 4, 'node-number': 5 }, /node-number \(5\) must not be greater than nodes \(4\)/],
    ];
    for (const [flags, told] of faults) assert.match(fault({ flags: { ...nodes, ...flags } }, 'SETTING_INVALID'), told);
    const fine = [
      { assignment: 'static', nodes: 4, 'node-number': 4, 'leaving-links': 'firewall' },
      { 'partition-by': 'hierarchy' },
    ];
    for (const flags of fine) assert.doesNotThrow(() => resolveSettings({ flags: { ...nodes, ...flags } }));
  });

  test('contradictions about visits and topics name the way out', () => {
    const faults: readonly (readonly [Record<string, unknown>, RegExp])[] = [
      [{ 'revisit-min': '2d', 'revisit-max': '1d' }, /^revisit-max \(1d\) must not be shorter than revisit-min/],
      [{ 'freshness-goal': 0.95, 'requests-per-day': 500 }, /freshness-goal \(0.95\) and requests-per-day \(500\)/],
      [{ updates: 'shadow' }, /updates \(shadow\).*give continuous/],
      [{ 'freshness-goal': 0.95 }, /freshness-goal \(0.95\).*give continuous/],
      [{ 'requests-per-day': 500 }, /requests-per-day \(500\).*give continuous/],
      [{ topic: 'spiders', text: false }, /topic \(spiders\).*leave text on/],
      [{ like: ['https://a.test/'], text: false }, /^like/],
      [{ unlike: ['https://a.test/'] }, /^unlike.*topic, topic-file or like/],
    ];
    for (const [flags, told] of faults) assert.match(fault({ flags }, 'SETTING_INVALID'), told);
    const fine = [
      { 'freshness-goal': 0.95, continuous: true },
      { 'requests-per-day': 500, continuous: true, updates: 'shadow' },
      { topic: 'spiders', unlike: ['https://a.test/'] },
      { text: false },
    ];
    for (const flags of fine) assert.doesNotThrow(() => resolveSettings({ flags }));
  });
});

describe('what is resolved', () => {
  test('is frozen to the bottom, and shares nothing with the caller', () => {
    const include = ['/a'];
    const { settings } = resolveSettings({ overrides: { include } });
    const { settings: second } = resolveSettings();
    include.push('/b');
    assert.deepEqual(settings.include, ['/a']);
    const unfrozen: string[] = [];
    const visit = (value: unknown, path: string) => {
      if (typeof value !== 'object' || value === null) return;
      if (!Object.isFrozen(value)) unfrozen.push(path);
      for (const [key, entry] of Object.entries(value)) visit(entry, `${path}.${key}`);
    };
    visit(settings, 'settings');
    visit(second, 'defaults');
    assert.deepEqual(unfrozen, []);
  });

  test('maps find no inherited names', () => {
    const { settings } = resolveSettings();
    assert.equal(settings.hosts.constructor, undefined);
  });
});

describe('the schema', () => {
  test('every default is a valid value and survives writing and reading, from every source', () => {
    const { settings } = resolveSettings();
    const written: Record<string, string> = {};
    const env: Record<string, string> = {};
    for (const key of SETTING_KEYS) {
      written[settingName(key)] = settingOf(key).kind.write(settings[key]);
      env[environmentName(key)] = written[settingName(key)];
    }
    assert.deepEqual(resolveSettings({ flags: written }).settings, settings);
    assert.deepEqual(resolveSettings({ file: written }).settings, settings);
    assert.deepEqual(resolveSettings({ env }).settings, settings);
    assert.deepEqual(resolveSettings({ overrides: settings }).settings, settings);
  });

  test('every group lists settings, and every setting is in one group', () => {
    const grouped = SETTING_GROUPS.flatMap((group) => group.keys);
    assert.deepEqual([...grouped].sort(), [...SETTING_KEYS].sort());
    assert.equal(new Set(SETTING_KEYS.map(environmentName)).size, SETTING_KEYS.length);
    for (const key of SETTING_KEYS) assert.ok(settingOf(key).doc.length > 10, key);
  });

  test('the URL settings are the options of the canonical form', () => {
    const { settings } = resolveSettings();
    const { assumeHttp: _, ...options } = defaultUrlOptions;
    for (const [name, value] of Object.entries(options)) assert.equal(settings[name as SettingKey], value, name);
  });

  test('flags for the command line', () => {
    const flags = new Map(settingFlags().map((flag) => [flag.key, flag]));
    assert.equal(flags.get('maxPages')?.usage, '--max-pages <n>');
    assert.equal(flags.get('robots')?.usage, '--robots');
    assert.equal(flags.get('robots')?.negatedUsage, '--no-robots');
    assert.equal(flags.get('include')?.repeatable, true);
    assert.equal(flags.size, SETTING_KEYS.length);
  });
});

describe('settings that people write', () => {
  const sources = fc.record(
    {
      'max-pages': fc.integer({ min: 1 }),
      delay: fc.integer({ min: 0, max: 86_400_000 }).map((ms) => `${ms}ms`),
      robots: fc.boolean(),
      scope: fc.constantFrom('any', 'domain', 'host', 'directory', 'tld'),
      hosts: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}\.test$/), fc.ipV4()),
      exclude: fc.array(fc.stringMatching(/^\/[a-z,*]{0,10}$/)),
      'max-body-by-type': fc.dictionary(fc.stringMatching(/^[a-z]{1,5}\/([a-z]{1,5}|\*)$/), fc.integer({ min: 1 })),
    },
    { requiredKeys: [] },
  );

  test('resolve, write, resolve again: the same', () => {
    fc.assert(
      fc.property(sources, (file) => {
        const { settings, origins } = resolveSettings({ file });
        const env: Record<string, string> = {};
        for (const key of SETTING_KEYS) {
          assert.equal(origins[key], Object.hasOwn(file, settingName(key)) ? 'file' : 'default');
          env[environmentName(key)] = settingOf(key).kind.write(settings[key]);
        }
        assert.deepEqual(resolveSettings({ env }).settings, settings);
      }),
    );
  });
});

describe('names', () => {
  test('edit distance', () => {
    assert.equal(editDistance('', 'abc'), 3);
    assert.equal(editDistance('delay', 'dealy'), 1);
    assert.equal(editDistance('kitten', 'sitting'), 3);
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        const distance = editDistance(a, b);
        assert.equal(distance, editDistance(b, a));
        assert.equal(distance === 0, a === b);
        assert.ok(distance <= Math.max(a.length, b.length));
        assert.ok(distance >= Math.abs(a.length - b.length));
      }),
    );
  });

  test('nearest', () => {
    assert.equal(nearestName('colour', ['odor', 'color', 'columns']), 'color');
  });
});

describe('user agent', () => {
  test('is made of name and contact', () => {
    assert.equal(userAgentOf({ userAgent: '', contact: '' }, '1.2.3'), 'Orbweaver/1.2.3');
    assert.equal(
      userAgentOf({ userAgent: '', contact: 'https://example.org/bot' }, '1.2.3'),
      'Orbweaver/1.2.3 (+https://example.org/bot)',
    );
    assert.equal(
      userAgentOf({ userAgent: 'Mine/1 (+me@example.org)', contact: 'me@example.org' }, '1'),
      'Mine/1 (+me@example.org)',
    );
    assert.equal(userAgentOf({ userAgent: 'Mine/1', contact: 'me@example.org' }, '1'), 'Mine/1 (+me@example.org)');
  });
});

test('forms names hosts: what can be none is refused, and named', () => {
  for (const forms of ['a b', ['a b'], 'a.test, 10.0.0.0/8'])
    assert.throws(() => resolveSettings({ flags: { forms }, env: {}, file: {} }), {
      code: 'SETTING_INVALID',
      message: /forms.*(?:"a b"|10\.0\.0\.0\/8).*a host/,
    });
  const { settings } = resolveSettings({ flags: { forms: 'a.test, *.b.test ,localhost:80' }, env: {}, file: {} });
  assert.deepEqual(settings.forms, ['a.test', '*.b.test', 'localhost:80']);
});
