import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Sketcher } from '../../../../src/dedupe/near/sketcher.ts';
import { SoftNotFound, type SoftVisit } from '../../../../src/dedupe/soft-not-found/soft-not-found.ts';
import { SyntheticWeb } from '../../../../src/simulate/model/synthetic-web.ts';
import { RICH_WEB } from '../../../../src/simulate/model/web-presets.ts';
import { webSpec } from '../../../../src/simulate/model/web-spec.ts';
import { quickOrLong } from '../../../property-runs.ts';
import { fetchPage, type WalkedPage, walkWeb } from '../mirrors/walk-web.ts';
import { chance } from './soft-pages.ts';

interface Score {
  found: number;
  wrong: number;
  missed: number;
  honest: number;
  probes: number;
}

/** Walks a web; probes are answered at once. `titled` false: no page has a title of its own, so that wording helps less. */
function score(seed: number, titled: boolean): Score {
  const spec = webSpec({
    ...RICH_WEB,
    seed,
    hosts: 16,
    linksPerPage: 10,
    pageBytes: [1200, 4000],
    pages: { ...RICH_WEB.pages, notFound: titled ? 0.06 : 0.2 },
    sites: { ...RICH_WEB.sites, mirror: 0, softNotFound: 0.4 },
  });
  const web = new SyntheticWeb(spec, { mode: 'names', port: 80, hostsPerAddress: 0 });
  const soft = new SoftNotFound();
  const maker = new Sketcher();
  const random = chance(seed);
  const counts: Score = { found: 0, wrong: 0, missed: 0, honest: 0, probes: 0 };
  const visitOf = (page: WalkedPage): SoftVisit => ({
    host: page.origin,
    url: page.url,
    status: page.status,
    words: page.words,
    opening: page.text.slice(0, 400),
    digest: page.digest,
    contentSketch: page.contentSketch,
    title: titled ? page.title : 'Site',
    ...(page.location === undefined ? {} : { redirectedTo: page.location }),
  });
  const visited = (page: WalkedPage): void => {
    const visit = visitOf(page);
    if (!soft.judge(visit).soft && soft.wantsProbe(visit)) {
      counts.probes++;
      const url = page.origin + soft.probeTarget(visit.host, random, page.target);
      soft.learn(visit.host, visitOf(fetchPage(web, url, 1, new Map(), maker).walked));
    }
    const isSoft = soft.judge(visit).soft;
    const located = web.locate(page.host, page.target);
    const nature = located.kind === 'page' ? web.nature(located.id, '') : undefined;
    const truth = nature === undefined ? page.status === 200 : nature.kind === 'page' && nature.softNotFound === true;
    counts[truth ? (isSoft ? 'found' : 'missed') : isSoft ? 'wrong' : 'honest']++;
  };
  walkWeb(web, { seeds: [`${web.hosts.origin(0)}/`], visited });
  return counts;
}

describe('Soft 404s of the synthetic web', () => {
  for (const seed of quickOrLong([1], [1, 2, 3])) {
    test(`seed ${seed}: all of them, and no honest page`, (t) => {
      const { found, wrong, missed, honest, probes } = score(seed, true);
      t.diagnostic(`${found} found, ${wrong} wrong, ${missed} missed, ${honest} honest, ${probes} probes`);
      assert.ok(found > 0 && honest > 500);
      assert.equal(wrong, 0);
      assert.equal(missed, 0);
      assert.ok(probes <= 2 * 16);
    });
  }

  test('without titles: by probes, and still no honest page', (t) => {
    const { found, wrong, missed, probes } = score(4, false);
    t.diagnostic(`${found} found, ${wrong} wrong, ${missed} missed, ${probes} probes`);
    assert.equal(wrong, 0);
    assert.ok(found >= 3 * missed);
  });
});
