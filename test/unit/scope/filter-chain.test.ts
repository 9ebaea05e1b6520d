import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveSettings } from '../../../src/base/settings/resolve-settings.ts';
import type { Settings } from '../../../src/base/settings/schema.ts';
import type { CrawlTask } from '../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl, HostKey } from '../../../src/contracts/url.ts';
import { createFilterChain, FilterChain } from '../../../src/scope/filter-chain.ts';
import { ADMIT } from '../../../src/scope/rule.ts';
import { canonical, linkOf, taskFor } from './tasks.ts';

function chain(overrides: Partial<Settings>, ...seeds: string[]): FilterChain {
  return createFilterChain(resolveSettings({ overrides }).settings, seeds.map(canonical));
}

/** '' where the task is admitted, else "by: rule". */
function said(filter: FilterChain, ...judged: Parameters<FilterChain['judge']>): string {
  const verdict = filter.judge(...judged);
  return verdict.admit ? '' : `${verdict.by}: ${verdict.rule}`;
}

describe('scope', () => {
  test('any', () => {
    assert.equal(said(chain({ scope: 'any' }, 'https://a.test/'), taskFor('http://other.example/x')), '');
  });

  test('host: with its port, but http and https are one', () => {
    const filter = chain({ scope: 'host' }, 'https://www.example.org/', 'http://127.0.0.1:8080/');
    for (const url of ['https://www.example.org/x', 'http://www.example.org/', 'http://127.0.0.1:8080/y']) {
      assert.equal(said(filter, taskFor(url)), '', url);
    }
    assert.equal(
      said(filter, taskFor('https://www.other.org/')),
      'scope: scope host: www.other.org is not a seed host',
    );
    assert.equal(said(filter, taskFor('https://example.org/')), 'scope: scope host: example.org is not a seed host');
    assert.equal(said(filter, taskFor('http://127.0.0.1:81/')), 'scope: scope host: 127.0.0.1:81 is not a seed host');
  });

  test('domain: below the public suffix; names without one stand for themselves, with their port', () => {
    const filter = chain(
      { scope: 'domain' },
      'https://news.example.co.uk/',
      'http://localhost:8080/',
      'http://10.0.0.1/',
    );
    for (const url of [
      'https://example.co.uk/',
      'http://a.b.example.co.uk:81/',
      'http://localhost:8080/x',
      'https://10.0.0.1/y',
    ]) {
      assert.equal(said(filter, taskFor(url)), '', url);
      assert.equal(said(filter, taskFor(url)), '', `${url}, asked again`);
    }
    const refusal = 'scope: scope domain: other.co.uk is not a seed domain';
    assert.equal(said(filter, taskFor('https://www.other.co.uk/')), refusal);
    assert.equal(said(filter, taskFor('https://www.other.co.uk/2')), refusal);
    assert.notEqual(said(filter, taskFor('http://10.0.0.2/')), '');
    assert.equal(
      said(filter, taskFor('http://10.0.0.1:7/')),
      'scope: scope domain: 10.0.0.1:7 is not a seed domain',
      'two servers of one machine are two sites',
    );
    assert.equal(said(filter, taskFor('http://localhost:9/')), 'scope: scope domain: localhost:9 is not a seed domain');
    assert.notEqual(said(chain({ scope: 'domain' }, 'https://me.github.io/'), taskFor('https://you.github.io/')), '');
  });

  test('tld', () => {
    const filter = chain({ scope: 'tld' }, 'https://www.example.de/');
    assert.equal(said(filter, taskFor('https://anything.de/')), '');
    assert.equal(said(filter, taskFor('https://anything.at/')), 'scope: scope tld: at is not a seed top-level domain');
  });

  test('directory', () => {
    const filter = chain(
      { scope: 'directory' },
      'https://a.test/docs/index.html?x=/y/z',
      'https://b.test/',
      'https://a.test/blog/',
    );
    for (const url of [
      'https://a.test/docs/',
      'http://a.test/docs/x/y',
      'https://a.test/docs',
      'https://a.test/docs?x',
      'https://b.test/any',
      'https://a.test/blog/1',
    ]) {
      assert.equal(said(filter, taskFor(url)), '', url);
    }
    assert.equal(
      said(filter, taskFor('https://a.test/docs-old/')),
      'scope: scope directory: not below /docs/ or /blog/',
    );
    assert.equal(said(filter, taskFor('https://c.test/docs/')), 'scope: scope directory: c.test is not a seed host');
  });

  test('more hosts than verdicts are kept', () => {
    const filter = chain({ scope: 'domain' }, 'https://example.org/');
    for (let index = 0; index < 12_000; index++) {
      assert.equal(filter.judge(taskFor(`https://h${index}.example.org/`)).admit, true);
    }
    assert.equal(filter.judge(taskFor('https://other.test/')).admit, false);
  });
});

describe('what a seed redirects to', () => {
  const redirect = { how: 'redirect', depth: 0 } as const;

  function led(scope: Settings['scope'], ...way: string[]): FilterChain {
    const filter = chain({ scope }, way[0]);
    for (let at = 1; at < way.length; at++) filter.seedLedTo(canonical(way[at - 1]), canonical(way[at]));
    return filter;
  }

  test('host: moves along, over several hops', () => {
    const filter = led('host', 'http://a.test/', 'http://www.a.test/', 'http://b.test/en/');
    for (const url of ['http://a.test/x', 'http://www.a.test/x', 'http://b.test/x'])
      assert.equal(said(filter, taskFor(url)), '', url);
    assert.notEqual(said(filter, taskFor('http://c.test/')), '');
  });

  test('only seeds do so, and each tells once whether more is let in', () => {
    const filter = chain({ scope: 'host' }, 'http://a.test/');
    assert.equal(filter.seedLedTo(canonical('http://a.test/page'), canonical('http://b.test/')), undefined);
    assert.notEqual(said(filter, taskFor('http://b.test/', redirect)), '');
    assert.deepEqual(filter.seedLedTo(canonical('http://a.test/'), canonical('http://a.test/en/')), { widened: false });
    assert.deepEqual(filter.seedLedTo(canonical('http://a.test/en/'), canonical('http://b.test/')), { widened: true });
    assert.equal(filter.seedLedTo(canonical('http://a.test/en/'), canonical('http://b.test/')), undefined);
    assert.deepEqual([...filter.beginnings], ['http://a.test/', 'http://a.test/en/', 'http://b.test/']);
  });

  test('domain and tld: by the domain, also after a verdict was kept', () => {
    for (const scope of ['domain', 'tld'] as const) {
      const filter = chain({ scope }, 'http://a.de/');
      assert.notEqual(said(filter, taskFor('http://www.b.test/')), '', scope);
      filter.seedLedTo(canonical('http://a.de/'), canonical('http://b.test/'));
      assert.equal(said(filter, taskFor('http://www.b.test/')), '', scope);
      assert.notEqual(said(filter, taskFor('http://c.test/')), '', scope);
    }
  });

  test('directory: to another folder with all that is in it, upwards alone', () => {
    const aside = led('directory', 'http://a.test/docs/', 'http://a.test/manual/intro.html');
    assert.equal(said(aside, taskFor('http://a.test/manual/x')), '');
    assert.notEqual(said(aside, taskFor('http://a.test/')), '');
    const up = led('directory', 'http://a.test/docs/', 'http://a.test/login?next=docs');
    assert.equal(said(up, taskFor('http://a.test/login?next=docs', redirect)), '');
    assert.notEqual(said(up, taskFor('http://a.test/other')), '');
    const around = led('directory', 'http://a.test/docs/', 'http://b.test/login/', 'http://a.test/');
    assert.equal(said(around, taskFor('http://a.test/', redirect)), '');
    assert.equal(said(around, taskFor('http://a.test/docs/x')), '');
    assert.notEqual(said(around, taskFor('http://a.test/private/1')), '');
    const bare = led('directory', 'http://www.a.test/docs/', 'https://a.test/');
    assert.equal(said(bare, taskFor('https://a.test/', redirect)), '');
    assert.notEqual(said(bare, taskFor('https://a.test/private/1')), '');
    const same = led('directory', 'http://www.a.test/docs/', 'https://a.test/docs/');
    assert.equal(said(same, taskFor('https://a.test/docs/x')), '');
    assert.notEqual(said(same, taskFor('https://a.test/x')), '');
    const elsewhere = led('directory', 'http://a.test/docs/', 'http://docs.a.test/');
    assert.equal(said(elsewhere, taskFor('http://docs.a.test/x')), '');
  });

  test('counts as a seed for other rules too, but exclude is stronger', () => {
    const filter = chain({ scope: 'host', excludeExtensions: ['zip'], exclude: ['*/private/*'] }, 'http://a.test/');
    assert.notEqual(said(filter, taskFor('http://a.test/all.zip', redirect)), '');
    filter.seedLedTo(canonical('http://a.test/'), canonical('http://a.test/all.zip'));
    filter.seedLedTo(canonical('http://a.test/'), canonical('http://a.test/private/'));
    assert.equal(said(filter, taskFor('http://a.test/all.zip', redirect)), '');
    assert.notEqual(said(filter, taskFor('http://a.test/all.zip')), '');
    assert.notEqual(said(filter, taskFor('http://a.test/private/', redirect)), '');
  });
});

describe('what the URL is', () => {
  test('scheme, length, depth', () => {
    const filter = chain({ scope: 'any', maxUrlLength: 30, maxDepth: 2 });
    assert.equal(
      said(filter, { ...taskFor('https://a.test/'), url: canonical('ftp://a.test/') }),
      'url: scheme: ftp is neither http nor https, nor that of a plug-in',
    );
    assert.equal(said(filter, taskFor(`https://a.test/${'x'.repeat(15)}`)), '');
    assert.equal(
      said(filter, taskFor(`https://a.test/${'x'.repeat(16)}`)),
      'url: max-url-length 30: the URL has 31 characters',
    );
    assert.equal(said(filter, taskFor('https://a.test/', { depth: 2 })), '');
    assert.equal(said(filter, taskFor('https://a.test/', { depth: 3 })), 'depth: max-depth 2: the link is at depth 3');
  });

  test('extensions', () => {
    const filter = chain({ scope: 'any', excludeExtensions: ['jpg', 'gz'] });
    for (const url of ['https://a.test/x.JPG', 'https://a.test/a.b/x.tar.gz?y=z'])
      assert.notEqual(said(filter, taskFor(url)), '', url);
    for (const url of [
      'https://a.test/jpg',
      'https://a.test/x.jpg/',
      'https://a.test/?f=x.jpg',
      'https://jpg.jpg/',
      'https://a.test/x.',
    ]) {
      assert.equal(said(filter, taskFor(url)), '', url);
    }
    assert.equal(said(filter, taskFor('https://a.test/x.jpg')), 'scope: file type .jpg');
    assert.equal(said(filter, taskFor('https://a.test/x.jpg', { how: 'seed', depth: 0 })), '');
    assert.equal(said(chain({ scope: 'any', excludeExtensions: [] }), taskFor('https://a.test/x.jpg')), '');
  });

  test('patterns: exclude is stronger than include, seeds and their redirects need no include', () => {
    const filter = chain({
      scope: 'any',
      include: ['*/blog/*', '/news'],
      exclude: ['*/calendar/*', 're:[?&]page=\\d{3}'],
    });
    assert.equal(said(filter, taskFor('https://a.test/blog/1')), '');
    assert.equal(said(filter, taskFor('https://a.test/news')), '');
    assert.equal(said(filter, taskFor('https://a.test/other')), 'scope: no include pattern matches');
    assert.equal(said(filter, taskFor('https://a.test/blog/calendar/1')), "scope: exclude pattern '*/calendar/*'");
    assert.equal(said(filter, taskFor('https://a.test/blog/?page=100')), "scope: exclude pattern 're:[?&]page=\\d{3}'");
    assert.equal(said(filter, taskFor('https://a.test/', { how: 'seed', depth: 0 })), '');
    assert.equal(said(filter, taskFor('https://a.test/home', { how: 'redirect', depth: 0 })), '');
    assert.notEqual(said(filter, taskFor('https://a.test/calendar/', { how: 'seed', depth: 0 })), '');
    const single = chain({ scope: 'any', include: ['/a'] });
    assert.equal(said(single, taskFor('https://a.test/b')), "scope: include pattern '/a' does not match");
  });
});

describe('what the link is', () => {
  const task = taskFor('https://a.test/x.png');

  test('nofollow', () => {
    const link = linkOf({ nofollow: true, rel: 'nofollow' });
    const page = taskFor('https://a.test/x');
    assert.equal(said(chain({ scope: 'any' }), page, link), 'directive: rel=nofollow');
    assert.equal(said(chain({ scope: 'any', followNofollow: true }), page, link), '');
  });

  test('parts of pages are fetched on request alone', () => {
    const off = chain({ scope: 'any' });
    const on = chain({ scope: 'any', resources: true });
    for (const link of [linkOf({ kind: 'img' }), linkOf({ kind: 'link', rel: 'shortcut icon' })]) {
      assert.equal(
        said(off, task, link),
        `link-kind: link kind: ${link.kind} is part of the page, and resources is off`,
      );
      assert.equal(said(on, task, link), '');
    }
    assert.equal(said(on, task, linkOf()), 'scope: file type .png');
  });

  test('forms are not sent, services are not documents, other relations are followed', () => {
    const filter = chain({ scope: 'any', resources: true });
    const page = taskFor('https://a.test/x');
    assert.equal(said(filter, page, linkOf({ kind: 'form' })), 'link-kind: link kind: forms are recorded, not sent');
    assert.match(said(filter, page, linkOf({ kind: 'link', rel: 'preconnect' })), /service/);
    for (const link of [
      linkOf({ kind: 'link', rel: 'next' }),
      linkOf({ kind: 'link' }),
      linkOf({ kind: 'iframe' }),
      linkOf({ kind: 'refresh' }),
    ]) {
      assert.equal(said(filter, page, link), '');
    }
  });
});

describe('the chain', () => {
  test('fails closed: a rule that throws refuses by its name', () => {
    const broken = {
      name: 'broken',
      judge: () => {
        throw new Error('no luck');
      },
    };
    const filter = new FilterChain([{ name: 'fine', judge: () => ADMIT }, broken]);
    assert.equal(said(filter, taskFor('https://a.test/')), 'scope: broken failed: no luck');
  });

  test('robots.txt may lie on any host', () => {
    assert.equal(
      said(chain({ scope: 'host' }, 'https://a.test/'), taskFor('https://b.test/robots.txt', { purpose: 'robots' })),
      '',
    );
  });

  test('files come in from their folders alone, and lead nowhere else', () => {
    const filter = chain({ scope: 'any', exclude: ['*.secret'], maxDepth: 0, trapPathDepth: 2 }, 'https://a.test/');
    const judged = (url: string, discovery: CrawlTask['discovery'], depth = 1) => {
      const task = { url: url as CanonicalUrl, host: 'file:' as HostKey, depth, redirects: 0, lane: 0 };
      return filter.judge({ ...task, discovery, purpose: 'page' }).admit;
    };
    const from = 'https://a.test/' as CanonicalUrl;
    const file = 'file:///home/me/a/b/c/d/e/f/g/notes.exe';
    assert.equal(judged(file, { how: 'folder' }), true);
    for (const how of ['seed', 'link', 'redirect', 'sitemap', 'sitemap-file', 'feed', 'push', 'canonical'] as const)
      assert.equal(judged(file, { how, from }), false, how);
    assert.equal(judged('file:///home/me/a.secret', { how: 'folder' }), false);
    assert.equal(judged('https://b.test/', { how: 'link', from }, 0), true);
    assert.equal(judged('https://b.test/', { how: 'link', from: file as CanonicalUrl }, 0), false);
  });

  test('the order of the rules', () => {
    const filter = chain({ include: ['/a'], exclude: ['/b'] }, 'https://a.test/');
    assert.deepEqual(
      filter.rules.map((rule) => rule.name),
      [
        'files',
        'scheme',
        'max-url-length',
        'link kind',
        'nofollow',
        'max-depth',
        'scope domain',
        'exclude-extensions',
        'exclude',
        'include',
        'trap-path-depth',
        'trap-repeats',
        'trap-host-labels',
        'trap-years',
        'trap-parameters',
        'trap-session-ids',
      ],
    );
  });
});
