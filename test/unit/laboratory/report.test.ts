import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type LaboratoryReport, reportAsJson } from '../../../src/laboratory/report/laboratory-report.ts';
import { reportCharts } from '../../../src/laboratory/report/report-charts.ts';
import { describeReport, writeLaboratoryReport } from '../../../src/laboratory/report/write-laboratory-report.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

const revisit = (policy: 'uniform' | 'freshness', visitsPerPageAndDay: number, freshness: number) => ({
  ...{ policy, visitsPerPageAndDay, requestsPerDay: 100 * visitsPerPageAndDay, requests: 300, freshness, ageDays: 1.5 },
  course: [
    { day: 1, freshness, requests: 100 },
    { day: 2, freshness, requests: 200 },
  ],
});
const order = (name: string, pageRank: number) => ({
  ...{ order: name, requests: 100 },
  course: [
    { pages: 1, share: 0.01, pageRank: pageRank / 4 },
    { pages: 10, share: 0.1, pageRank },
    { pages: 100, share: 1, pageRank: 1 },
  ],
});
const REPORT: LaboratoryReport = {
  source: {
    ...{ kind: 'graph and change history', name: '<odd> & "name"', pages: 100, links: 7, changes: 9, days: 2 },
    ...{ from: '2026-01-01T00:00:00.000Z', to: '2026-01-03T00:00:00.000Z' },
  },
  seed: 1,
  revisits: [revisit('uniform', 0.1, 0.6), revisit('freshness', 0.1, 0.75), revisit('uniform', 1, 0.8)],
  orders: [order('breadth-first', 0.2), order('opic', 0.5)],
  goals: [{ policy: 'uniform', goal: 0.95 }],
  forecast: [{ policy: 'uniform', visitsPerPageAndDay: 0.1, requestsPerDay: 10, freshness: 0.6, ageDays: 1 }],
  notes: ['A note.'],
};
const EMPTY: LaboratoryReport = { ...REPORT, revisits: [], orders: [], goals: [], forecast: [], notes: [] };

describe('what the laboratory tells', () => {
  test('tables with gains, factors and notes', () => {
    const text = describeReport(REPORT);
    assert.match(text, /^Graph and change history .*: 100 pages, 7 links, 9 changes in 2 days \(2026-01-01 to/);
    assert.match(text, /freshness +\| +75\.00 % +\| +\+15\.00 \|/);
    assert.match(text, /opic +\|.* 2\.50× \|/);
    assert.match(text, /What 95\.0 % freshness costs[\s\S]*out of reach/);
    assert.match(text, /A note\.\n$/);
    assert.doesNotMatch(text, /NaN|undefined/);
  });

  test('one JSON document; a single result stands at the top as well', () => {
    assert.deepEqual(JSON.parse(reportAsJson(REPORT)), JSON.parse(JSON.stringify(REPORT)));
    const single = JSON.parse(reportAsJson({ ...EMPTY, revisits: [REPORT.revisits[1]] }));
    assert.deepEqual([single.policy, single.freshness, single.ageDays, single.requests], ['freshness', 0.75, 1.5, 300]);
    assert.equal(single.revisits.length, 1);
    const crawled = JSON.parse(reportAsJson({ ...EMPTY, orders: [REPORT.orders[1]] }));
    assert.deepEqual([crawled.order, crawled.pageRank, crawled.pages], ['opic', 1, 100]);
  });

  test('plots have units, and files of their own', () => {
    const names = reportCharts(REPORT).map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    assert.ok(
      names.includes('freshness-by-budget') && names.includes('pagerank-by-pages') && names.includes('forecast'),
    );
    const bars = reportCharts({ ...EMPTY, revisits: REPORT.revisits.slice(0, 2) });
    assert.deepEqual(
      bars.map(({ kind }) => kind),
      ['bars', 'bars', 'lines'],
    );
  });

  test('a page that needs nothing else, with every plot', () => {
    using folder = temporaryFolder();
    const files = writeLaboratoryReport(join(folder.path, 'deep', 'out'), REPORT, '1.2.3');
    assert.deepEqual(readdirSync(join(folder.path, 'deep', 'out')).sort(), [...files].sort());
    const page = readFileSync(join(folder.path, 'deep', 'out', 'index.html'), 'utf8');
    assert.equal(page.match(/<figure>/g)?.length, reportCharts(REPORT).length);
    assert.doesNotMatch(page, /<odd>|NaN|undefined|src=|href=|@import/);
    assert.match(page, /prefers-color-scheme:dark/);
    assert.equal(JSON.parse(readFileSync(join(folder.path, 'deep', 'out', 'results.json'), 'utf8')).seed, 1);
  });

  test('each plot as SVG', () => {
    using folder = temporaryFolder();
    const plots = reportCharts(REPORT).map(({ name }) => `${name}.svg`);
    assert.deepEqual(writeLaboratoryReport(folder.path, REPORT, '1.2.3').slice(2), plots);
    for (const name of plots) assert.match(readFileSync(join(folder.path, name), 'utf8'), /^<svg /);
  });
});
