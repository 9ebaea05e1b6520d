import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METRICS } from '../../../src/observe/metrics/catalogue.ts';
import { CONTENT_TYPES, expose, formatFor } from '../../../src/observe/metrics/exposition.ts';
import { Histogram } from '../../../src/observe/metrics/histogram.ts';
import { boundedSamples } from '../../../src/observe/metrics/label-counts.ts';
import { MetricsPage } from '../../../src/observe/metrics/metrics-page.ts';
import { readMetrics } from '../../strict-openmetrics.ts';

const PROMETHEUS =
  'application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';

test('the format is the one that is asked for most', () => {
  assert.equal(formatFor(undefined), 'text');
  assert.equal(formatFor('*/*'), 'text');
  assert.equal(formatFor('text/html'), 'text');
  assert.equal(formatFor(PROMETHEUS), 'openmetrics');
  assert.equal(formatFor('text/plain;q=0.9, application/openmetrics-text;q=0.1'), 'text');
  assert.equal(formatFor('application/openmetrics-text;q=0'), 'text');
  assert.equal(formatFor('application/openmetrics-text;q=x'), 'text');
});

test('what servers write into labels stays in their label, in both formats', () => {
  const odd = 'a"b\\c\nd{e="f"}';
  const histogram = new Histogram([0.5, 1]);
  for (const value of [0.1, 0.5, 0.7, 3]) histogram.observe(value);
  const families = [
    { name: 'orbweaver_failures_total', samples: [{ labels: { code: odd }, value: 2 }] },
    { name: 'orbweaver_fetch_duration_seconds', histogram },
    { name: 'orbweaver_refusals_total', samples: [] },
  ];
  for (const format of ['text', 'openmetrics'] as const) {
    const read = readMetrics(expose(families, format), format);
    const failures = read.get(format === 'text' ? 'orbweaver_failures_total' : 'orbweaver_failures');
    assert.deepEqual(failures?.samples, [{ name: 'orbweaver_failures_total', labels: { code: odd }, value: 2 }]);
    const buckets = read.get('orbweaver_fetch_duration_seconds')?.samples.map(({ value }) => value);
    assert.deepEqual(buckets, [2, 3, 4, 4.3, 4]);
    assert.equal(read.size, 2);
  }
});

test('a label takes few values, whatever servers answer; the largest keep their names', () => {
  const codes = Object.fromEntries(Array.from({ length: 900 }, (_, at) => [`http-${at + 100}`, at + 1]));
  const samples = boundedSamples('code', codes);
  assert.equal(samples.length, 61);
  assert.equal(samples[0].labels?.code, 'http-999');
  const sum = samples.reduce((total, { value }) => total + value, 0);
  assert.equal(sum, (900 * 901) / 2);
});

test('a source that fails keeps nobody from the figures of the others', async () => {
  const page = new MetricsPage(
    { families: () => Promise.reject(new Error('gone')) },
    { families: () => [{ name: 'orbweaver_crawl_pages', samples: [{ value: 7 }] }] },
  );
  const { type, body } = await page.render('application/openmetrics-text');
  assert.equal(type, CONTENT_TYPES.openmetrics);
  const read = readMetrics(body, 'openmetrics');
  assert.equal(read.get('orbweaver_crawl_pages')?.samples[0].value, 7);
  assert.equal(read.get('orbweaver_scrape_failures')?.samples[0].value, 1);
});

test('names follow the conventions: units and _total at the end', () => {
  for (const [name, { type, labels = [] }] of Object.entries(METRICS)) {
    assert.match(name, /^(?:orbweaver|process)_[a-z_]+$/);
    assert.equal(name.endsWith('_total'), type === 'counter', name);
    assert.doesNotMatch(name, /_(?:ms|kb|mb|minutes)(?:_|$)/, name);
    for (const label of labels) assert.match(label, /^(?!host$|url$|le$|quantile$)[a-z]+$/, name);
  }
});
