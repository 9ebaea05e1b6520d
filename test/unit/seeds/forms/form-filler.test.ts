import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { SearchForm } from '../../../../src/contracts/content/search-form.ts';
import type { HostKey } from '../../../../src/contracts/url.ts';
import { FormFiller, type FormVisit } from '../../../../src/seeds/forms/form-filler.ts';
import { formHosts } from '../../../../src/seeds/forms/form-hosts.ts';

const HOST = 'a.test' as HostKey;
const FORM: SearchForm = {
  action: 'http://a.test/s',
  fields: [
    { kind: 'text', name: 'q', value: '' },
    { kind: 'choice', name: 'c', values: ['', 'x', 'y'], chosen: '' },
  ],
};
const open = (mostRequests = 100) => new FormFiller({ mostRequests, urlOf: (url) => url });
const visit = (url: string, some: Partial<FormVisit> = {}): FormVisit => ({
  ...{ url, host: HOST, depth: 1, forms: [FORM], words: ['apple', 'pear'], fresh: 0 },
  ...some,
});

describe('filling in forms', () => {
  test('as it is, then each choice, then words; few at once, each one time', () => {
    const filler = open();
    const asked: string[] = [];
    let waiting = filler.observe(visit('http://a.test/'));
    assert.equal(waiting.length, 3);
    assert.deepEqual(waiting[0], { url: 'http://a.test/s?q=&c=', at: 'http://a.test/', depth: 2 });
    while (waiting.length > 0) {
      const [{ url }, ...rest] = waiting;
      asked.push(url.slice(url.indexOf('?')));
      waiting = [...rest, ...filler.observe(visit(url, { fresh: 1 }))];
    }
    assert.deepEqual(asked, ['?q=&c=', '?q=&c=x', '?q=&c=y', '?q=pear&c=', '?q=apple&c=']);
    assert.deepEqual(filler.reports, [
      { action: FORM.action, asked: 5, fresh: 5, ended: 'nothing is left to ask for' },
    ]);
  });

  test('what others link to is not asked for; what is refused holds nothing up', () => {
    const filler = open();
    const first = filler.observe(visit('http://a.test/s?q=&c='));
    assert.ok(!first.some(({ url }) => url.endsWith('s?q=&c=')));
    for (const { url } of first) filler.refused(HOST, url);
    assert.ok(filler.observe(visit('http://a.test/other')).length > 0);
  });

  test('a form that always leads to the same place ends; one that leads to its results goes on, also after a restart', () => {
    const words = Array.from({ length: 500 }, (_, at) => `word${at}`);
    for (const [leadsTo, ended] of [
      [() => 'http://a.test/nothing-found', /^nothing new/],
      [(at: number) => `http://a.test/result/${at}`, /^200 requests/],
    ] as const) {
      let filler = open(200);
      let waiting = filler.observe(visit('http://a.test/', { words }));
      for (let at = 0; waiting.length > 0; at++) {
        if (at === 20) {
          const restarted = open(200);
          restarted.restore(JSON.parse(JSON.stringify(filler.snapshot())));
          filler = restarted;
        }
        waiting = [...waiting.slice(1), ...filler.observe(visit(waiting[0].url, { words, leadsTo: leadsTo(at) }))];
      }
      assert.match(filler.reports[0].ended ?? '', ended);
    }
  });

  test('ends at its limit, and where nothing new comes', () => {
    const words = Array.from({ length: 500 }, (_, at) => `word${at}`);
    for (const [most, fresh, ended] of [
      [7, 1, /^7 requests/],
      [400, 0, /^nothing new/],
    ] as const) {
      const filler = open(most);
      let waiting = filler.observe(visit('http://a.test/', { words }));
      let asked = 0;
      while (waiting.length > 0) {
        asked++;
        waiting = [...waiting.slice(1), ...filler.observe(visit(waiting[0].url, { words, fresh }))];
      }
      assert.match(filler.reports[0].ended ?? '', ended);
      assert.ok(asked <= Math.min(most, 60), `${asked}`);
    }
  });

  test('taken down and set up again at any time, it asks the same', () => {
    const word = fc.stringMatching(/^[a-e]{3}$/);
    const step = fc.record({ words: fc.array(word, { maxLength: 5 }), fresh: fc.nat(3), isRestarted: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let [whole, broken] = [open(), open()];
        let url = 'http://a.test/';
        const waiting: string[] = [];
        for (const { isRestarted, ...some } of steps) {
          if (isRestarted) {
            const kept = structuredClone(broken.snapshot());
            broken = open();
            broken.restore(kept);
          }
          const [a, b] = [whole, broken].map((filler) => filler.observe(visit(url, some)));
          assert.deepEqual(b, a);
          waiting.push(...a.map((question) => question.url));
          url = waiting.shift() ?? url;
        }
        assert.deepEqual(broken.reports, whole.reports);
        whole = broken;
      }),
    );
  });

  test('hosts are named with or without a port, and with all below them', () => {
    const isNamed = formHosts(['a.test', 'b.test:81', '*.c.test']);
    const named = ['a.test', 'a.test:8080', 'b.test:81', 'x.c.test', 'x.y.c.test:8080'];
    for (const host of named) assert.ok(isNamed(host as HostKey), host);
    for (const host of ['b.test', 'x.a.test', 'c.test', 'xc.test']) assert.ok(!isNamed(host as HostKey), host);
  });
});
