import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { SyntheticWeb } from '../../../src/simulate/model/synthetic-web.ts';
import { truth } from '../../../src/simulate/model/truth.ts';
import { RICH_WEB } from '../../../src/simulate/model/web-presets.ts';
import { type WebSpecOverrides, webSpec } from '../../../src/simulate/model/web-spec.ts';

const SMALL = { seed: 5, hosts: 6, pagesPerHost: 60, linksPerPage: 8, pageBytes: [1000, 4000] } as const;
const TRAP_TARGETS = [
  ...['/calendar/2026/03/', '/shop/item-1.html?PHPSESSID=ab', '/store/thing-1.html;jsessionid=AB', '/loop/loop/'],
  ...['/pit/a.html', '/maze/x', '/go/start', '/things?color=1'],
];
const OLD_TRAPS = {
  ...{ calendar: 1, sessionQuery: 1, sessionPath: 1, endlessPath: 1, endlessSubdomains: 1 },
  ...{ tarpit: 1, maze: 1, redirectMaze: 1, facets: 1 },
};

/** All that a web sends and means, as one number. */
function digest(overrides: WebSpecOverrides): string {
  const spec = webSpec({ ...overrides, ...SMALL });
  const model = new SyntheticWeb(spec, { mode: 'names', port: 8081, hostsPerAddress: 0 });
  const hash = createHash('sha256');
  for (let page = 0; page < model.pageCount; page++) {
    const reply = model.page(model.hostOfPage(page), model.target(page));
    hash.update(JSON.stringify([model.url(page), reply, model.nature(page, 'orbweaver')]));
  }
  for (let host = 0; host < model.hosts.count; host++) {
    hash.update(model.page(host, '/robots.txt').body);
    for (const target of TRAP_TARGETS) hash.update(JSON.stringify(model.page(host, target)));
  }
  hash.update(JSON.stringify(truth(model, { seeds: [model.url(0)] }).counts()));
  return hash.digest('hex');
}

/** Figures of earlier crawls can be compared only while the web they were measured on stays the same, byte by byte. */
describe('webs that were measured on before', () => {
  const recorded: [string, WebSpecOverrides, string][] = [
    ['the default web', {}, '2ee7d188082cf7ca737c41401b00eb8dbdc6387ce55cf6c760a44e6ef3a46bd1'],
    ['the rich web', RICH_WEB, 'ead576377372a277c32598b556e8260dd11fec170118c25524648f742603e840'],
    ['the web of traps', { traps: OLD_TRAPS }, '15ae32a3bb23918e08085466e5d0ad3f4c6a10a1b82bc2d2bcb295ee036780bb'],
  ];
  for (const [name, overrides, expected] of recorded) {
    test(`${name} has not changed`, () => assert.equal(digest(overrides), expected));
  }
});
