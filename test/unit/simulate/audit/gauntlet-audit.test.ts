import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { audit } from '../../../../src/simulate/audit/audit.ts';
import { formatAudit } from '../../../../src/simulate/audit/format-audit.ts';
import { formatGauntlet, missedBars } from '../../../../src/simulate/audit/format-gauntlet.ts';
import { SyntheticWeb } from '../../../../src/simulate/model/synthetic-web.ts';
import { truth } from '../../../../src/simulate/model/truth.ts';
import { MIRROR_WEB, TRAP_GAUNTLET } from '../../../../src/simulate/model/web-presets.ts';
import { PLAIN_SHARES, type TrapKind, webSpec } from '../../../../src/simulate/model/web-spec.ts';
import { RequestLog } from '../../../../src/simulate/server/request-log.ts';

const NAMES = { mode: 'names', port: 8081, hostsPerAddress: 0 } as const;
const BARS = { wastedShare: 0.02, perTrapHost: 1000, honestShare: 0.99 };

/** A log to be filled by asking. */
function asker(model: SyntheticWeb): { readonly log: RequestLog; ask(host: number, target: string): void } {
  const log = new RequestLog(model);
  let arrive = 1000;
  const ask = (host: number, target: string): void => {
    const located = model.locate(host, target);
    const { status, body } = model.reply(host, located, { before: 1, now: arrive });
    log.add({
      ...{ host, target, located, status, bytes: body.length, arrive, done: arrive + 1, method: 'GET', agent: 'a' },
      ...{ connection: 1, complete: true, protocol: 'http/1.1', conditional: false },
    });
    arrive += 10;
  };
  return { log, ask };
}

function plain(hosts: number, overrides: Parameters<typeof webSpec>[0]): SyntheticWeb {
  const small = { ...PLAIN_SHARES, hosts, pagesPerHost: 10, linksPerPage: 4, pageBytes: [800, 1500] } as const;
  return new SyntheticWeb(webSpec({ ...small, ...overrides }), NAMES);
}

describe('the gauntlet', () => {
  test('has every kind of trap on two hosts or more, several on some, and honest parts that look like traps', () => {
    const model = new SyntheticWeb(webSpec(TRAP_GAUNTLET), NAMES);
    const laid = Array.from({ length: model.hosts.count }, (_, host) => model.trapsOf(host));
    for (const trap of Object.keys(TRAP_GAUNTLET.traps) as TrapKind[]) {
      assert.ok(laid.filter((traps) => traps.includes(trap)).length >= 2, trap);
    }
    assert.ok(laid.some((traps) => traps.length >= 3));
    assert.ok(laid.some((traps) => traps.length === 0));
    const roles = new Map<string, number>();
    for (let page = 0; page < model.pageCount; page++)
      roles.set(model.role(page), (roles.get(model.role(page)) ?? 0) + 1);
    for (const role of ['wiki', 'dated', 'listing', 'product', 'deep']) assert.ok((roles.get(role) ?? 0) > 1000, role);
  });

  test('a wiki is linked from the first page of its host and from within itself alone', () => {
    const model = plain(2, { pagesPerHost: 30, sites: { ...PLAIN_SHARES.sites, wiki: 1 } });
    const known = truth(model, { seeds: [model.url(0)] });
    assert.equal(known.counts().stored, 60);
    const isWiki = (page: number): boolean => model.role(page) === 'wiki';
    assert.equal(isWiki(19), false);
    assert.equal(isWiki(20), true);
    assert.match(model.target(20), /^\/wiki\/\w+_20$/);
    for (let page = 0; page < model.pageCount; page++) {
      if (isWiki(page) || page % 30 === 0) continue;
      assert.ok(model.links(page).every(({ to }) => !isWiki(to)));
    }
  });

  test('counts what was wasted: traps, probes, repeats, soft 404s', () => {
    const traps = { ...PLAIN_SHARES.traps, calendar: 1, endlessSubdomains: 1 };
    const model = plain(2, {
      traps,
      seed: 4,
      pagesPerHost: 40,
      pages: { ...PLAIN_SHARES.pages, notFound: 0.2 },
      sites: { ...PLAIN_SHARES.sites, softNotFound: 1 },
    });
    const known = truth(model, { seeds: [model.url(0)], softNotFound: 'failed' });
    const { log, ask } = asker(model);
    for (const host of [0, 1]) ask(host, '/robots.txt');
    for (const fate of ['stored', 'failed'] as const) {
      for (const page of known.pages(fate)) ask(model.hostOfPage(page), model.target(page));
    }
    const soft = [...known.pages('failed')].length;
    assert.ok(soft > 0);
    ask(0, '/');
    ask(0, '/calendar/2026/01/');
    ask(0, '/calendar/2026/02/');
    ask(1, '/orbweaver-probe-7f3a');
    ask(1, '/calendar/orbweaver-probe-7f3a');
    const below = model.hosts.find('x1.h001.synthetic.test:8081');
    ask(below, '/robots.txt');
    ask(below, '/');
    const report = audit(log, known);
    assert.deepEqual(report.failures, ['wasted'], formatAudit(report));
    const { gauntlet } = report;
    assert.deepEqual(gauntlet.trapRequestsByKind, { calendar: 2, endlessSubdomains: 2 });
    assert.equal(gauntlet.probes, 2);
    assert.equal(gauntlet.repeated, 1);
    assert.equal(gauntlet.softNotFound, soft);
    assert.equal(gauntlet.wasted, 4 + 2 + 1 + soft);
    assert.equal(gauntlet.wastedShare, gauntlet.wasted / log.length);
    assert.equal(gauntlet.mostPerTrapHost, 2);
    assert.deepEqual([gauntlet.honestFetched, gauntlet.honestShare], [gauntlet.honestExpected, 1]);
    assert.equal(report.unknown.count, 0);
    assert.deepEqual(missedBars(gauntlet, BARS), ['wasted']);
    assert.match(formatGauntlet(gauntlet, BARS), /trap: calendar +2\n/);
    assert.match(formatGauntlet(gauntlet, BARS), /honest pages .* ok \(at least 99.00 %\)/);
  });

  test('subdomains count for the host they belong to, also where the log was read by another web', () => {
    const traps = { ...PLAIN_SHARES.traps, endlessSubdomains: 1 };
    const [served, told] = [plain(2, { traps }), plain(2, { traps })];
    const { log, ask } = asker(served);
    for (const label of ['a', 'b', 'c.d']) {
      const host = served.hosts.find(`${label}.h001.synthetic.test:8081`);
      ask(host, '/robots.txt');
      ask(host, '/');
    }
    const { gauntlet } = audit(log, truth(told, { seeds: [told.url(0)] }), { complete: false });
    assert.deepEqual([gauntlet.mostPerTrapHost, gauntlet.trapHost], [6, 'h001.synthetic.test']);
  });

  test('honest pages that are not asked for are told', () => {
    const model = plain(2, {});
    const known = truth(model, { seeds: [model.url(0)] });
    const { log, ask } = asker(model);
    ask(0, '/robots.txt');
    ask(0, '/');
    const { gauntlet } = audit(log, known, { complete: false });
    assert.deepEqual([gauntlet.honestExpected, gauntlet.honestFetched], [20, 1]);
    assert.deepEqual(missedBars(gauntlet, BARS), ['honest pages']);
  });
});

describe('mirrors', () => {
  const model = new SyntheticWeb(
    webSpec({ ...MIRROR_WEB, hosts: 20, pagesPerHost: 20, robots: { ...PLAIN_SHARES.robots, missing: 1 } }),
    NAMES,
  );
  const seeds = Array.from({ length: 20 }, (_, host) => `${model.hosts.origin(host)}/`);

  test('have names that tell, or domains of their own', () => {
    const pairs = truth(model, { seeds }).mirrorHosts();
    assert.ok(pairs.length >= 4);
    const named = pairs.filter(({ mirror, original }) =>
      model.hosts.hostname(mirror).endsWith(`.${model.hosts.hostname(original)}`),
    );
    assert.ok(named.length > 0 && named.length < pairs.length, `${named.length} of ${pairs.length}`);
    assert.equal(new Set(Object.keys(model.hosts.map())).size, 20);
  });

  /** Everything but the pages of the hosts that `skips`. */
  function crawl(skips: (host: number) => boolean, mirrorsFolded: boolean): ReturnType<typeof audit> {
    const known = truth(model, { seeds, mirrorsFolded });
    const { log, ask } = asker(model);
    for (let host = 0; host < 20; host++) ask(host, '/robots.txt');
    for (const fate of ['stored', 'redirected', 'failed'] as const) {
      for (const page of known.pages(fate)) {
        if (!skips(model.hostOfPage(page))) ask(model.hostOfPage(page), model.target(page));
      }
    }
    return audit(log, known);
  }
  const isMirror = (host: number): boolean => model.mirrorOf(host) !== host;

  test('their pages are missed by those who should know no better, and saved by those who fold them', () => {
    assert.deepEqual(crawl(isMirror, false).failures, ['missed', 'unseen']);
    const folded = crawl(isMirror, true);
    assert.deepEqual(folded.failures, [], formatAudit(folded));
    assert.equal(folded.mirrors.requests, 0);
    assert.ok(folded.mirrors.saved > 0 && folded.mirrors.saved === folded.mirrors.pages);
    assert.equal(folded.gauntlet.honestShare, 1);
    assert.equal(folded.gauntlet.wasted, 0);
  });

  test('what they show again is wasted only where they are to be folded', () => {
    const none = (): boolean => false;
    assert.equal(crawl(none, false).gauntlet.wasted, 0);
    const { gauntlet, mirrors, failures } = crawl(none, true);
    assert.deepEqual(failures, []);
    assert.ok(gauntlet.mirrorRepeats > 0 && gauntlet.wasted === gauntlet.mirrorRepeats);
    assert.equal(mirrors.saved, 0);
    assert.ok(mirrors.requests >= mirrors.pages);
  });

  test('the original may be the one that is left out', () => {
    const [{ original }] = truth(model, { seeds }).mirrorHosts();
    const twice = new Set(
      truth(model, { seeds })
        .mirrorHosts()
        .map((pair) => pair.original),
    );
    assert.ok(twice.has(original));
    assert.deepEqual(crawl((host) => host === original, true).failures, []);
  });
});
