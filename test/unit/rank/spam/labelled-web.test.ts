import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { SpamSign } from '../../../../src/contracts/content/spam.ts';
import { estimateJaccard } from '../../../../src/dedupe/near/sketch.ts';
import { Sketcher } from '../../../../src/dedupe/near/sketcher.ts';
import { mainContent } from '../../../../src/extract/main-content/main-content.ts';
import { pageMetadata } from '../../../../src/extract/metadata/page-metadata.ts';
import { pageSpamSigns } from '../../../../src/extract/spam/page-signs.ts';
import { cloakingSign } from '../../../../src/rank/spam/cloaking.ts';
import { LinkFarmWatch } from '../../../../src/rank/spam/link-farm.ts';
import { combineSigns, SPAM_FROM } from '../../../../src/rank/spam/spam-score.ts';
import { SyntheticWeb } from '../../../../src/simulate/model/synthetic-web.ts';
import { SPAM_WEB } from '../../../../src/simulate/model/web-presets.ts';
import { webSpec } from '../../../../src/simulate/model/web-spec.ts';
import { registrableDomain } from '../../../../src/url/public-suffix.ts';
import { quickOrLong } from '../../../property-runs.ts';

const WEB = new SyntheticWeb(webSpec(SPAM_WEB), { mode: 'names', port: 8081, hostsPerAddress: 0 });
const ROBOT = 'Mozilla/5.0 (compatible; Orbweaver/1.0; +https://example.org/bot)';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** Of the pages without any label every so many is judged, and of those with one. */
const SAMPLE = { plain: quickOrLong(16, 8), labelled: quickOrLong(2, 1) };

interface Judged {
  readonly technique: string;
  readonly isSpam: boolean;
  readonly score: number;
}

function body(page: number, agent: string): string {
  const host = WEB.hostOfPage(page);
  const reply = WEB.reply(host, WEB.locate(host, WEB.target(page)), { before: 1, now: 0, agent });
  return reply.status === 200 ? reply.body : '';
}

const hostOf = (page: number): string => new URL(WEB.url(page)).hostname;
const domainOf = (host: string): string => registrableDomain(host) ?? host;

function farmSigns(): Map<string, SpamSign> {
  const watch = new LinkFarmWatch();
  for (let page = 0; page < WEB.pageCount; page++) {
    if (WEB.nature(page, 'orbweaver').kind !== 'page') continue;
    const fromHost = hostOf(page);
    for (const { to } of WEB.links(page)) {
      const toHost = hostOf(to);
      watch.observe({ fromHost, toHost, fromDomain: domainOf(fromHost), toDomain: domainOf(toHost) });
    }
  }
  return watch.farmSigns();
}

describe('the labelled pages of the synthetic web', () => {
  const judged: Judged[] = [];

  before(() => {
    const sketches = new Sketcher();
    const farms = farmSigns();
    for (let page = 0; page < WEB.pageCount; page++) {
      const nature = WEB.nature(page, 'orbweaver');
      if (nature.kind !== 'page') continue;
      const technique = nature.spam ?? nature.lookalike;
      if (page % (technique === undefined ? SAMPLE.plain : SAMPLE.labelled) !== 0) continue;
      const source = body(page, ROBOT);
      if (source === '') continue;
      const url = WEB.url(page);
      const { text } = mainContent(source, { url });
      const told = pageMetadata(source, { url });
      const signs = [
        ...pageSpamSigns({
          ...{ source, url, text, title: told.title?.value, description: told.description?.value },
          ...{ keywords: told.tags.map(({ value }) => value), linkCount: 0 },
        }),
      ];
      const farm = farms.get(hostOf(page));
      if (farm !== undefined) signs.push(farm);
      if (technique === 'cloaking') {
        const ours = sketches.of(text);
        const browsers = sketches.of(mainContent(body(page, BROWSER), { url }).text);
        const cloaked = ours && browsers && cloakingSign(ours, browsers, estimateJaccard);
        if (cloaked !== undefined) signs.push(cloaked);
      }
      judged.push({
        technique: technique ?? 'none',
        isSpam: nature.spam !== undefined,
        score: combineSigns(signs).score,
      });
    }
  });

  test('precision and recall over all of them', () => {
    const found = judged.filter(({ score }) => score >= SPAM_FROM);
    const right = found.filter(({ isSpam }) => isSpam).length;
    const precision = right / found.length;
    const recall = right / judged.filter(({ isSpam }) => isSpam).length;
    assert.ok(precision >= 0.95 && recall >= 0.9, `precision ${precision}, recall ${recall}`);
  });

  for (const technique of ['term-stuffing', 'hidden-text', 'doorway', 'link-farm', 'cloaking']) {
    test(`${technique}: recall, and its look-alikes`, () => {
      const share = (isSpam: boolean): number => {
        const pages = judged.filter((page) => page.technique === technique && page.isSpam === isSpam);
        assert.ok(pages.length >= 20);
        return pages.filter(({ score }) => score >= SPAM_FROM).length / pages.length;
      };
      assert.ok(share(true) >= 0.9, `${share(true)} found`);
      assert.ok(share(false) <= 0.05, `${share(false)} of the honest ones taken for it`);
    });
  }
});
