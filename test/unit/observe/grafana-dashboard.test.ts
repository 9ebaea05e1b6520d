import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { METRICS } from '../../../src/observe/metrics/catalogue.ts';

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}

const dashboard = JSON.parse(readFileSync(new URL('../../../deploy/grafana/orbweaver.json', import.meta.url), 'utf8'));
const panels: readonly Panel[] = dashboard.panels;
const queries = panels.flatMap(({ title, targets = [] }) => targets.map((target) => ({ title, ...target })));

test('each metric that the dashboard names exists, with each label that it asks for', () => {
  for (const { title, expr, legendFormat } of queries) {
    const names = expr.match(/\b(?:orbweaver|process)_[a-z_]+/g) ?? [];
    assert.ok(names.length > 0, title);
    const labels = new Set(['job', 'instance', 'le']);
    for (const name of names) {
      const family = name in METRICS ? name : name.replace(/_bucket$/, '');
      assert.ok(family in METRICS, `${title}: ${name}`);
      assert.equal(METRICS[family].type === 'histogram', name.endsWith('_bucket'), `${title}: ${name}`);
      if (METRICS[family].type === 'counter' && !/^sum\(orbweaver_crawl_received/.test(expr))
        assert.match(expr, new RegExp(`(?:rate|increase)\\(${name}`), `${title}: a counter without a rate`);
      for (const label of METRICS[family].labels ?? []) labels.add(label);
    }
    const asked = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) =>
      list.split(',').map((each) => each.trim()),
    );
    const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label);
    for (const label of [...asked, ...shown]) assert.ok(labels.has(label), `${title}: ${label}`);
  }
});

test('every metric is on the dashboard, but for what tells when something began', () => {
  const text = queries.map(({ expr }) => expr).join('\n') + JSON.stringify(dashboard.templating);
  const missing = Object.keys(METRICS).filter((name) => !new RegExp(`\\b${name}(?:_bucket)?\\b`).test(text));
  assert.deepEqual(missing, [
    'orbweaver_crawl_requests_total',
    'orbweaver_crawl_started_timestamp_seconds',
    'process_start_time_seconds',
  ]);
});

test('panels do not overlap', () => {
  for (const [at, one] of panels.entries())
    for (const other of panels.slice(at + 1)) {
      const [a, b] = [one.gridPos, other.gridPos];
      const apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
      assert.ok(apart, `${one.title} and ${other.title}`);
    }
});
