import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parser } from '@prometheus-io/lezer-promql';
import { METRICS } from '../../../src/observe/metrics/catalogue.ts';

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
  readonly refId: string;
  readonly datasource: { readonly type: string; readonly uid: string };
}

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string | { readonly query: string };
  readonly current?: unknown;
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly targets?: readonly Target[];
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
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

/** As Grafana sends it: with values in the place of its variables. */
function sent(expr: string): string {
  return expr
    .replaceAll('$__rate_interval', '1m')
    .replaceAll('$__range', '1h')
    .replace(/\$(?:job|instance)\b/g, '.*');
}

/** What the grammar of Prometheus cannot read, each by the text around it. */
function unread(expr: string): string[] {
  const wrong: string[] = [];
  parser
    .configure({ top: 'PromQL' })
    .parse(expr)
    .iterate({
      enter: ({ type, from }) => {
        if (type.isError) wrong.push(expr.slice(Math.max(0, from - 20), from + 20));
      },
    });
  return wrong;
}

test('each query is PromQL by the grammar of Prometheus', () => {
  assert.notDeepEqual(unread('sum(rate(x[5m])'), [], 'what is wrong is found');
  assert.notDeepEqual(unread('sum by job) (x)'), []);
  for (const { title, expr } of queries) {
    assert.deepEqual(unread(sent(expr)), [], `${title}: ${expr}`);
    assert.doesNotMatch(sent(expr), /\$/, `${title}: a variable that nobody sets`);
  }
});

test('the file has what Grafana asks of a dashboard', () => {
  const { schemaVersion, uid, title, time, templating, annotations } = dashboard;
  assert.ok(schemaVersion >= 36 && uid.length > 0 && uid.length <= 40 && title.length > 0);
  assert.deepEqual(Object.keys(time), ['from', 'to']);
  assert.ok(Array.isArray(annotations.list));
  assert.ok(!('id' in dashboard) || dashboard.id === null, 'a number is given by the Grafana that it is brought into');
  const variables = templating.list as readonly Variable[];
  assert.deepEqual(
    variables.map(({ name, type }) => `${name} ${type}`),
    ['datasource datasource', 'job query', 'instance query'],
  );
  for (const { query, current } of variables.slice(1)) {
    assert.deepEqual(current, { text: 'All', value: '$__all' });
    const [, selector = '', label] =
      /^label_values\((.+), (\w+)\)$/.exec(typeof query === 'string' ? query : query.query) ?? [];
    assert.deepEqual(unread(sent(selector)), []);
    assert.ok(['job', 'instance'].includes(label ?? ''));
  }
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length, 'panels have numbers of their own');
  const source = { type: 'prometheus', uid: '$' + '{datasource}' };
  for (const panel of panels) {
    const { x, w, h } = panel.gridPos;
    assert.ok(x >= 0 && w > 0 && h > 0 && x + w <= 24, `${panel.title} is on the grid`);
    assert.match(panel.type, /^(?:row|stat|timeseries|bargauge|gauge|heatmap|table|piechart)$/, panel.title);
    if (panel.type === 'row') continue;
    assert.deepEqual(panel.datasource, source, panel.title);
    assert.match(
      panel.fieldConfig?.defaults.unit ?? '',
      /^(?:short|none|bytes|decbytes|Bps|binBps|decBps|reqps|ops|s|ms|percent|percentunit|cps)$/,
      panel.title,
    );
    const targets = panel.targets ?? [];
    assert.ok(targets.length > 0, panel.title);
    assert.equal(new Set(targets.map(({ refId }) => refId)).size, targets.length, panel.title);
    for (const target of targets) assert.deepEqual(target.datasource, source, panel.title);
  }
});
