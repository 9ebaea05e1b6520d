import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Addressing } from '../../../../src/simulate/model/addressing.ts';
import { SyntheticWeb } from '../../../../src/simulate/model/synthetic-web.ts';
import { PLAIN_SHARES, type WebSpecOverrides, webSpec } from '../../../../src/simulate/model/web-spec.ts';

const NAMES: Addressing = { mode: 'names', port: 8081, hostsPerAddress: 0 };
const SMALL: WebSpecOverrides = { hosts: 5, pagesPerHost: 80, linksPerPage: 10, pageBytes: [1000, 5000] };

function web(overrides: WebSpecOverrides = {}, addressing = NAMES): SyntheticWeb {
  return new SyntheticWeb(webSpec({ ...SMALL, ...overrides }), addressing);
}

function digest(model: SyntheticWeb, order: (pages: number[]) => number[] = (pages) => pages): string {
  const pages = Array.from({ length: model.pageCount }, (_, page) => page);
  const replies = new Map(
    order(pages).map((page) => [page, model.page(model.hostOfPage(page), model.target(page))] as const),
  );
  const hash = createHash('sha256');
  for (const page of pages) hash.update(JSON.stringify([model.url(page), replies.get(page)]));
  for (let host = 0; host < model.hosts.count; host++) hash.update(model.page(host, '/robots.txt').body);
  return hash.digest('hex');
}

describe('SyntheticWeb', () => {
  test('the same seed gives the same bytes, in whatever order they are asked for; another seed gives others', () => {
    assert.equal(digest(web({ seed: 9 })), digest(web({ seed: 9 })));
    assert.equal(
      digest(web({ seed: 9 })),
      digest(web({ seed: 9 }), (pages) => pages.toReversed()),
    );
    assert.notEqual(digest(web({ seed: 9 })), digest(web({ seed: 10 })));
  });

  test('every page is found by its own address, and by other spellings of it', () => {
    const model = web({ seed: 3 });
    fc.assert(
      fc.property(fc.nat(model.pageCount - 1), (page) => {
        const host = model.hostOfPage(page);
        const target = model.target(page);
        const mark = target.includes('?') ? '&' : '?';
        for (const spelling of [
          target,
          `/.${target}`,
          `/a/../b/..${target}`,
          `${target}#part`,
          target.replaceAll('-', '%2d'),
          target.replace('%C3%A9', '%c3%a9'),
          target.replace('%C3%A9', '\xc3\xa9'),
          `${target}${mark}utm_source=x&gclid=7`,
        ]) {
          assert.deepEqual(model.locate(host, spelling), { kind: 'page', id: page }, spelling);
        }
      }),
    );
  });

  test('addresses are distinct, and what is no page is not taken for one', () => {
    const model = web({ seed: 3 });
    const urls = new Set(Array.from({ length: model.pageCount }, (_, page) => model.url(page)));
    assert.equal(urls.size, model.pageCount);
    assert.equal(model.locate(0, '/articles/no-such-page-5.html').kind, 'unknown');
    assert.equal(model.locate(0, '/articles/').kind, 'unknown');
    assert.equal(model.locate(0, '/phantom/x.html').kind, 'phantom');
    assert.equal(model.locate(0, '/search?q=1').kind, 'phantom');
    assert.equal(model.locate(0, '/static/site.css').kind, 'asset');
    assert.deepEqual(model.locate(2, '/robots.txt').kind, 'robots');
  });

  test('each role answers as it should', () => {
    const model = web({ seed: 11, pagesPerHost: 2000 });
    const statuses: Record<string, number[]> = { notFound: [404], gone: [410], broken: [500] };
    for (const role of ['redirect', 'redirectAway', 'redirectChain', 'redirectLoop']) {
      statuses[role] = [301, 302, 303, 307, 308];
    }
    for (let page = 0; page < model.pageCount; page += 3) {
      const { kind, status, headers, body } = model.page(model.hostOfPage(page), model.target(page));
      assert.ok((statuses[kind] ?? [200]).includes(status), `${kind} ${status}`);
      if (status >= 300 && status < 400) assert.equal(headers[0], 'Location');
      if (status === 200) assert.ok(body.startsWith('<!DOCTYPE html>'));
      assert.ok(/^[\x00-\xff]*$/.test(body));
    }
  });

  test('redirects end after at most four hops, unless they are loops of two', () => {
    const pages = { ...PLAIN_SHARES.pages, redirect: 0.2, redirectAway: 0.2, redirectChain: 0.3, redirectLoop: 0.1 };
    const model = web({ seed: 5, pages, pagesPerHost: 500 });
    let longest = 0;
    for (let page = 0; page < model.pageCount; page++) {
      let at = page;
      let hops = 0;
      for (let nature = model.nature(at, ''); nature.kind === 'redirect'; nature = model.nature(at, '')) {
        if (model.role(at) === 'redirectLoop') {
          const back = model.nature(nature.to, '');
          assert.deepEqual(back, { kind: 'redirect', to: at });
          hops = 0;
          break;
        }
        at = nature.to;
        hops++;
      }
      longest = Math.max(longest, hops);
    }
    assert.ok(longest >= 3 && longest <= 4, `${longest} hops`);
  });

  test('429 and 503 come once, with Retry-After in seconds or as a date', () => {
    const pages = { ...PLAIN_SHARES.pages, tooManyRequests: 0.5, unavailable: 0.5 };
    const model = web({ pages, retryAfterSeconds: 3 });
    const forms = new Set<string>();
    const now = 1_700_000_000_400;
    for (let page = 1; page < 60; page++) {
      const located = model.locate(0, model.target(page));
      const first = model.reply(0, located, { before: 0, now });
      assert.equal(first.status, model.role(page) === 'tooManyRequests' ? 429 : 503);
      const value = first.headers[first.headers.indexOf('Retry-After') + 1];
      forms.add(/^\d+$/.test(value) ? 'seconds' : 'date');
      if (!/^\d+$/.test(value)) assert.ok(Date.parse(value) >= now + 3000);
      assert.equal(model.reply(0, located, { before: 1, now }).status, 200);
    }
    assert.equal(forms.size, 2);
  });

  test('copies have the bytes of their original and stand in its folder', () => {
    const model = web({ pages: { ...PLAIN_SHARES.pages, copy: 0.3 } });
    let copies = 0;
    for (let page = 0; page < model.pageCount; page++) {
      const nature = model.nature(page, '');
      if (nature.kind !== 'page' || nature.document === page) continue;
      copies++;
      const host = model.hostOfPage(page);
      assert.equal(model.page(host, model.target(page)).body, model.page(host, model.target(nature.document)).body);
      assert.equal(model.target(page).split('/')[1], model.target(nature.document).split('/')[1]);
    }
    assert.ok(copies > 50);
  });

  test('pages have about the size that was asked for', () => {
    const model = web({ pageBytes: [20_000, 30_000], pages: PLAIN_SHARES.pages });
    for (let page = 0; page < 40; page++) {
      const { length } = model.page(0, model.target(page)).body;
      assert.ok(length > 19_000 && length < 34_000, `${length} bytes`);
    }
  });

  test('robots.txt of every kind is found by following it', () => {
    const model = web({
      hosts: 60,
      robots: { missing: 0.2, broken: 0.1, moved: 0.2, movedChain: 0.1, movedAway: 0.2 },
    });
    const kinds = new Set<string>();
    for (let host = 0; host < 60; host++) {
      let at = { host, target: '/robots.txt' };
      let reply = model.page(at.host, at.target);
      let hops = 0;
      for (; reply.status === 301 || reply.status === 302; hops++) {
        const url = new URL(reply.headers[1], `http://${model.hosts.authority(at.host)}${at.target}`);
        at = { host: model.hosts.find(url.host), target: url.pathname };
        const located = model.locate(at.host, at.target);
        assert.ok(located.kind === 'robots' && located.of === host);
        reply = model.page(at.host, at.target);
      }
      kinds.add(`${reply.status} after ${hops}${at.host === host ? '' : ' elsewhere'}`);
      const expected = { 200: 'rules', 404: 'allow-all', 500: 'disallow-all' }[reply.status];
      assert.equal(model.robots(host).verdict, expected);
    }
    assert.deepEqual([...kinds].sort(), [
      '200 after 0',
      '200 after 1',
      '200 after 1 elsewhere',
      '200 after 4',
      '404 after 0',
      '500 after 0',
    ]);
  });

  test('hosts are named or numbered, and may share addresses', () => {
    const named = web({ hosts: 300 }, { mode: 'names', port: 80, hostsPerAddress: 100 });
    assert.equal(named.url(0), 'http://h000.synthetic.test/');
    assert.equal(named.hosts.find('H299.Synthetic.TEST'), 299);
    assert.equal(named.hosts.map()['h299.synthetic.test'], '127.20.0.3');
    assert.equal(new Set(Object.values(web().hosts.map())).size, 1);
    const numbered = web({ hosts: 300 }, { mode: 'addresses', port: 8081, hostsPerAddress: 0 });
    assert.equal(numbered.hosts.authority(0), '127.20.0.1:8081');
    assert.equal(numbered.hosts.authority(299), '127.20.1.50:8081');
    assert.equal(numbered.hosts.find('127.20.1.50:8081'), 299);
    assert.equal(numbered.hosts.find('127.20.9.9:8081'), -1);
  });

  test('latency belongs to the host; slow robots.txt come on top', () => {
    const model = web({ latencyMs: [50, 150], robots: { slow: 1 }, slowRobotsMs: 400 });
    const delays = [0, 1, 2].map((host) => model.delayMs(host, model.locate(host, '/')));
    assert.ok(delays.every((ms) => ms >= 50 && ms <= 150) && new Set(delays).size === 3);
    assert.equal(model.delayMs(0, model.locate(0, '/robots.txt')), delays[0] + 400);
    assert.equal(web({ robots: { slow: 0 } }).delayMs(0, model.locate(0, '/robots.txt')), 0);
  });
});
