import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { audit } from '../../../../src/simulate/audit/audit.ts';
import { formatAudit } from '../../../../src/simulate/audit/format-audit.ts';
import { SyntheticWeb } from '../../../../src/simulate/model/synthetic-web.ts';
import { truth } from '../../../../src/simulate/model/truth.ts';
import {
  DEFAULT_WEB_SPEC,
  PLAIN_SHARES,
  type TrapKind,
  type WebSpec,
  webSpec,
} from '../../../../src/simulate/model/web-spec.ts';
import { RequestLog } from '../../../../src/simulate/server/request-log.ts';
import { readPage } from '../brute-force-crawl.ts';

const NAMES = { mode: 'names', port: 8081, hostsPerAddress: 0 } as const;
const BASE = 'http://h000.synthetic.test:8081/';
const KINDS = Object.keys(DEFAULT_WEB_SPEC.traps) as TrapKind[];

function web(...traps: TrapKind[]): SyntheticWeb {
  return styled('plain', 1, traps);
}

function styled(trapStyle: WebSpec['trapStyle'], seed: number, traps: readonly TrapKind[]): SyntheticWeb {
  const spec = webSpec({
    seed,
    trapStyle,
    ...PLAIN_SHARES,
    hosts: 2,
    pagesPerHost: 20,
    linksPerPage: 3,
    pageBytes: [800, 1500],
    bombBytes: 3_000_000,
    traps: { ...PLAIN_SHARES.traps, ...Object.fromEntries(traps.map((trap) => [trap, 1])) },
  });
  return new SyntheticWeb(spec, NAMES);
}

/** Follows all links but those to honest pages, up to `most` addresses. */
function fallInto(model: SyntheticWeb, most: number): string[] {
  const known = truth(model, { seeds: [model.url(0)] });
  const found = [model.url(0)];
  for (let at = 0; at < found.length && found.length < most; at++) {
    const url = new URL(found[at]);
    const host = model.hosts.find(url.host);
    const located = model.locate(host, url.pathname + url.search);
    const { body, headers, status } = model.reply(host, located, { before: 1, now: 0 });
    const links = status === 302 ? [headers[1]] : readPage(body, url.href).links.map((link) => link.href);
    for (const href of links) {
      const to = new URL(href, url).href;
      if (known.fateOf(to) === 'trap' && !found.includes(to)) found.push(to);
    }
  }
  return found.slice(1);
}

describe('traps', () => {
  test('each leads on without end, and every address in it is known as part of it', () => {
    for (const trap of KINDS) {
      if (trap === 'bomb') continue;
      const model = web(trap);
      const addresses = fallInto(model, 200);
      assert.ok(addresses.length >= (trap === 'redirectMaze' ? 150 : 199), `${trap}: ${addresses.length}`);
      for (const address of addresses) {
        const { host, pathname, search } = new URL(address);
        const located = model.locate(model.hosts.find(host), pathname + search);
        assert.ok(located.kind === 'trap' && located.trap === trap, address);
      }
    }
  });

  test('in disguise they lead on just as well, and lie elsewhere on other hosts', () => {
    const places = new Set<string>();
    for (const trap of KINDS) {
      if (trap === 'bomb') continue;
      for (const seed of [1, 2, 3, 4]) {
        const model = styled('disguised', seed, [trap]);
        const addresses = fallInto(model, 120);
        assert.ok(addresses.length >= (trap === 'redirectMaze' ? 90 : 119), `${trap}: ${addresses.length}`);
        if (trap === 'calendar') for (const address of addresses) places.add(new URL(address).pathname.split('/')[1]);
        assert.doesNotMatch(model.page(0, '/').body, new RegExp(`>${trap}<`));
      }
    }
    assert.ok(places.size >= 3, [...places].join(' '));
  });

  test('ids of visitors under unknown names lead to the same few pages', () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const model = styled('disguised', seed, ['unknownSession']);
      const bodies = new Set(
        fallInto(model, 60)
          .filter((url) => url.startsWith('http://h000'))
          .map((url) => /<p>(.*)<\/p>/.exec(model.page(0, url.slice(new URL(url).origin.length)).body)?.[1]),
      );
      assert.equal(bodies.size, 9);
    }
  });

  test('numbered pages without end show one list, or none', () => {
    const model = styled('disguised', 3, ['pagination']);
    const lists = new Set(
      fallInto(model, 50)
        .filter((url) => url.startsWith('http://h000'))
        .map((url) => /<p>([\s\S]*)<\/p>/.exec(model.page(0, url.slice(new URL(url).origin.length)).body)?.[1]),
    );
    assert.ok(lists.size <= 2);
  });

  test('a variant is the page itself with more such links', () => {
    const model = web('variants');
    const page = model.page(0, model.target(3));
    const [, href] = /class="tools">[^"]*"([^"]*)"/.exec(page.body) ?? [];
    const variant = model.page(0, href.replaceAll('&amp;', '&'));
    assert.equal(variant.kind, 'trap');
    assert.equal(variant.status, 200);
    assert.ok(variant.body.includes(page.body.slice(page.body.indexOf('<header>'), page.body.indexOf('<main>'))));
    assert.equal(model.page(0, '/no/such/page?print=1').status, 404);
  });

  test('where links are broken, whatever is not there answers 200 and leads on, and a probe is told from it', () => {
    const model = web('brokenLinks');
    const { status, body, kind } = model.page(0, '/any/thing?at=all');
    assert.deepEqual([kind, status], ['trap', 200]);
    const links = readPage(body, BASE).links.map((link) => new URL(link.href, BASE).pathname);
    assert.ok(links.length >= 5);
    for (const link of links.filter((path) => path !== '/')) assert.equal(model.page(0, link).kind, 'trap');
    assert.equal(model.page(0, model.target(5)).kind, 'plain');
    assert.equal(model.page(0, '/robots.txt').kind, 'robots');
  });

  test('honest pages are the same with traps as without', () => {
    const known = truth(web(...KINDS), { seeds: [web().url(0)] });
    assert.deepEqual(known.counts(), truth(web(), { seeds: [web().url(0)] }).counts());
    assert.equal(known.fateOf('http://h000.synthetic.test:8081/calendar/2031/07/'), 'trap');
    assert.equal(
      truth(web(), { seeds: [web().url(0)] }).fateOf('http://h000.synthetic.test:8081/calendar/2031/07/'),
      'unknown',
    );
  });

  test('without its session id an address leads to one of a few pages', () => {
    const strip = (url: string): string => url.replace(/\?PHPSESSID=\w+/, '').replace(/;jsessionid=\w+/, '');
    for (const trap of ['sessionQuery', 'sessionPath'] as const) {
      const model = web(trap);
      const bare = new Set(fallInto(model, 300).map(strip));
      assert.equal(bare.size, 9, [...bare].join(' '));
      for (const url of bare) assert.equal(model.page(0, new URL(url).pathname).status, 200);
    }
  });

  test('a bomb is small on the wire and large after it', () => {
    const { status, headers, body } = web('bomb').page(0, '/bomb/page.html');
    assert.equal(status, 200);
    assert.ok(headers.includes('gzip') && body.length < 10_000);
    assert.equal(gunzipSync(Buffer.from(body, 'latin1')).length, 3_000_000);
  });

  test('a tarpit is slower than its host', () => {
    const model = web('tarpit');
    assert.equal(model.bytesPerSecond(0, model.locate(0, '/pit/a.html')), 20);
    assert.equal(model.bytesPerSecond(0, model.locate(0, '/')), 0);
  });

  test('names below a host answer only where it has such a trap, and never below an address', () => {
    const model = web('endlessSubdomains');
    const host = model.hosts.find('X7.x2.H001.synthetic.test:8081');
    assert.ok(host >= 2);
    assert.equal(model.hosts.find('x7.x2.h001.synthetic.test:8081'), host);
    assert.equal(model.hosts.parent(host), 1);
    assert.equal(model.hosts.resolve('deep.h000.synthetic.test'), '127.0.0.1');
    assert.equal(model.hosts.resolve('other.test'), undefined);
    assert.equal(model.page(host, '/robots.txt').status, 404);
    assert.equal(Object.keys(model.hosts.map()).length, 2);
    assert.equal(web().hosts.find('x1.h001.synthetic.test:8081'), -1);
    const numbered = new SyntheticWeb(model.spec, { ...NAMES, mode: 'addresses' });
    assert.equal(numbered.hosts.find('x1.127.20.0.1:8081'), -1);
    assert.doesNotMatch(numbered.page(0, '/').body, /endlessSubdomains/);
  });

  test('the audit counts requests into them, and judges them only where a limit is given', () => {
    const model = web('calendar', 'endlessSubdomains');
    const known = truth(model, { seeds: [model.url(0)] });
    const log = new RequestLog(model);
    let arrive = 1000;
    const ask = (authority: string, target: string): void => {
      const host = model.hosts.find(authority);
      const located = model.locate(host, target);
      const { status, body } = model.reply(host, located, { before: 1, now: arrive });
      const request = { host, target, located, status, bytes: body.length, arrive, done: arrive + 1 };
      log.add({
        ...request,
        method: 'GET',
        agent: 'a',
        connection: 1,
        complete: true,
        protocol: 'http/1.1',
        conditional: false,
      });
      arrive += 10;
    };
    ask('h000.synthetic.test:8081', '/robots.txt');
    ask('h000.synthetic.test:8081', '/calendar/2026/01/');
    ask('h000.synthetic.test:8081', '/calendar/2026/02/');
    ask('x1.h000.synthetic.test:8081', '/robots.txt');
    ask('x1.h000.synthetic.test:8081', '/');
    const report = audit(log, known, { complete: false });
    assert.deepEqual(report.failures, [], formatAudit(report));
    assert.equal(report.trapRequests, 3);
    assert.deepEqual(report.trapRequestsByKind, { calendar: 2, endlessSubdomains: 1 });
    assert.equal(report.hosts, 2);
    assert.match(formatAudit(report), /requests into traps +3 \(calendar: 2, endlessSubdomains: 1\)/);
    assert.deepEqual(audit(log, known, { complete: false, maxTrapRequests: 2 }).failures, ['traps']);
  });
});
