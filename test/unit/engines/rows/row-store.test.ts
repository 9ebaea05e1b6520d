import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { FieldRule, RowFields, RuleSet } from '../../../../src/contracts/content/extraction-rules.ts';
import type { RowStore, RowVisit } from '../../../../src/contracts/state/row-store.ts';
import type { CanonicalUrl } from '../../../../src/contracts/url.ts';
import { forgetExtracted } from '../../../../src/engines/maintenance.ts';
import { openRowReader, openRows } from '../../../../src/engines/open-rows.ts';

const field = (name: string): FieldRule => ({
  ...{
    name,
    selector: { kind: 'css', expression: name },
    take: 'text',
    many: false,
    type: 'text',
    trim: true,
    required: false,
  },
});
const SET: RuleSet = { name: 'a', match: [], fields: [field('x'), field('y')] };
const LIST: RuleSet = { ...SET, name: 'l', each: { kind: 'css', expression: 'li' }, key: 'x' };
const URL_A = 'https://a.example/' as CanonicalUrl;

function visit(at: number, rows: readonly RowFields[] | undefined, set = 'a', url = URL_A): RowVisit {
  return { url, at, sets: rows && [{ set, rows, found: rows.length === 0 ? [] : ['each', 'x'] }] };
}

function withStore<T>(use: (store: RowStore, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-rows-'));
  try {
    using store = openRows(folder);
    return use(store, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const history = (store: RowStore) => [...store.changes()].map(({ kind, at, fields }) => [kind, at, fields]);

describe('the store of rows', () => {
  test('keeps every change of a row: new, changed with both values, gone, back', () => {
    withStore((store) => {
      store.declare([SET]);
      store.apply([visit(1, [{ x: 'one', y: '1' }])]);
      store.apply([visit(2, [{ x: 'one', y: '2' }])]);
      store.apply([visit(3, [{ x: 'one', y: '2' }])]);
      store.apply([visit(4, undefined)]);
      store.apply([visit(5, [{ x: 'two', y: '2' }])]);
      assert.deepEqual(history(store), [
        ['new', 1, { x: { after: 'one' }, y: { after: '1' } }],
        ['changed', 2, { y: { before: '1', after: '2' } }],
        ['gone', 4, { x: { before: 'one' }, y: { before: '2' } }],
        ['back', 5, { x: { before: 'one', after: 'two' } }],
      ]);
      const [row] = store.rows();
      assert.deepEqual([row.firstSeen, row.changedAt, row.at, row.fields], [1, 5, 5, { x: 'two', y: '2' }]);
    });
  });

  test('knows rows of a page by their key, however they are ordered', () => {
    withStore((store) => {
      store.declare([LIST]);
      store.apply([
        visit(
          1,
          [
            { x: 'a', y: '1' },
            { x: 'b', y: '1' },
          ],
          'l',
        ),
      ]);
      store.apply([
        visit(
          2,
          [
            { x: 'c', y: '1' },
            { x: 'b', y: '2' },
            { x: 'c', y: '9' },
          ],
          'l',
        ),
      ]);
      assert.deepEqual(
        [...store.changes({ after: 2 })].map(({ kind, fields }) => [
          kind,
          fields.x?.after ?? fields.x?.before ?? fields.y,
        ]),
        [
          ['new', 'c'],
          ['changed', { before: '1', after: '2' }],
          ['new', 'c'],
          ['gone', 'a'],
        ],
      );
      assert.equal([...store.rows()].length, 3);
      assert.equal([...store.rows({ gone: true })].length, 4);
    });
  });

  test('a page that could not be read to the end keeps its rows, and an older visit changes nothing', () => {
    withStore((store) => {
      store.declare([SET]);
      store.apply([visit(5, [{ x: 'one', y: null }])]);
      store.apply([{ url: URL_A, at: 6, sets: [{ set: 'a', rows: [], found: [], problem: 'too slow' }] }]);
      store.apply([visit(4, [{ x: 'old', y: null }])]);
      assert.deepEqual(
        [...store.rows()].map(({ fields }) => fields.x),
        ['one'],
      );
      const [set] = store.sets();
      assert.deepEqual([set.problems, set.problem, set.unmatched], [1, 'too slow', ['y']]);
    });
  });

  test('rules that change are told, what they change is marked, and a set that is no longer for a page leaves it', () => {
    withStore((store) => {
      assert.deepEqual(store.declare([SET, LIST]), []);
      store.apply([visit(1, [{ x: 'one', y: '1' }])]);
      assert.deepEqual(store.declare([{ ...SET, fields: [field('x')] }]), ['a']);
      store.apply([{ ...visit(1, [{ x: 'one' }]), again: 9 }]);
      const [, change] = store.changes();
      assert.deepEqual(
        [change.kind, change.byRules, change.at, change.fields],
        ['changed', true, 9, { y: { before: '1' } }],
      );
      store.apply([{ url: URL_A, at: 2, sets: [] }]);
      assert.deepEqual([...store.rows()], []);
      assert.deepEqual(
        store.sets().map(({ rules, isCurrent }) => [rules.name, isCurrent]),
        [
          ['a', true],
          ['l', false],
        ],
      );
    });
  });

  test('forgets pages', () => {
    withStore((store, folder) => {
      store.declare([SET]);
      store.apply([
        visit(1, [{ x: 'one', y: null }]),
        visit(1, [{ x: 'two', y: null }], 'a', 'https://b.example/' as CanonicalUrl),
      ]);
      forgetExtracted(folder, (url) => url === URL_A);
      using reader = openRowReader(folder);
      assert.deepEqual(
        [...(reader?.rows() ?? [])].map(({ fields }) => fields.x),
        ['two'],
      );
      assert.equal([...(reader?.changes() ?? [])].length, 1);
    });
  });

  test('visits that come twice, as after a kill, leave the same rows and the same changes', () => {
    const rows = fc.option(
      fc.array(fc.record({ x: fc.constantFrom('a', 'b', 'c'), y: fc.constantFrom('1', '2') }), { maxLength: 4 }),
      { nil: undefined },
    );
    fc.assert(
      fc.property(
        fc.array(rows, { maxLength: 6 }),
        fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
        fc.boolean(),
        (visits, twice, isKeyed) => {
          const { key: _, ...plain } = LIST;
          const run = (repeats: boolean) =>
            withStore((store) => {
              store.declare([isKeyed ? LIST : plain]);
              for (const [at, found] of visits.entries())
                for (let time = 0; time <= (repeats && twice[at] ? 1 : 0); time++)
                  store.apply([visit(at + 1, found, 'l')]);
              return { rows: [...store.rows({ gone: true })], changes: [...store.changes()] };
            });
          assert.deepEqual(run(true), run(false));
        },
      ),
      { numRuns: 25 },
    );
  });
});
