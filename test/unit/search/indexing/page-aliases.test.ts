import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { PageAliases } from '../../../../src/search/indexing/page-aliases.ts';
import { propertyRuns } from '../../../property-runs.ts';

const url = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f').map((name) => `http://host.test/${name}`);

/** The same in one map, looked through from end to end. */
class PlainAliases {
  readonly originals = new Map<string, string>();

  add(alias: string, original: string): void {
    if (alias === original || this.originals.get(alias) === original) return;
    this.originals.delete(alias);
    this.originals.set(alias, original);
  }

  of(page: string): Set<string> {
    const found = new Set<string>();
    let next = [page];
    while (next.length > 0) {
      next = [...this.originals].filter(([, original]) => next.includes(original)).map(([alias]) => alias);
      next = next.filter((alias) => alias !== page && !found.has(alias));
      for (const alias of next) found.add(alias);
    }
    return found;
  }
}

test('aliases of a page are those that lead to it, in whatever order they come and go', () => {
  const step = fc.record({ isGone: fc.boolean(), alias: url, original: url });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), url, (steps, page) => {
      const [aliases, plain] = [new PageAliases(), new PlainAliases()];
      for (const { isGone, alias, original } of steps) {
        if (isGone) aliases.remove(alias);
        else aliases.add(alias, original);
        if (isGone) plain.originals.delete(alias);
        else plain.add(alias, original);
        assert.equal(aliases.directOf(alias), plain.originals.get(alias));
        assert.deepEqual(new Set(aliases.of(page)), plain.of(page));
      }
    }),
    { numRuns: propertyRuns(300) },
  );
});

test('direct aliases come in the order in which they were added', () => {
  const aliases = new PageAliases([
    ['http://a.test/', 'http://b.test/'],
    ['http://d.test/', 'http://b.test/'],
    ['http://c.test/', 'http://b.test/'],
  ]);
  assert.deepEqual(aliases.of('http://b.test/'), ['http://a.test/', 'http://d.test/', 'http://c.test/']);
  aliases.remove('http://d.test/');
  aliases.remove('http://a.test/');
  assert.deepEqual(aliases.of('http://b.test/'), ['http://c.test/']);
});

test('an alias does not keep the head of its record in memory', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const count = 4000;
  const padding = 'X-Padding: of a header\r\n'.repeat(200);
  const add = (aliases: PageAliases, number: number): void => {
    const head = Buffer.from(
      `WARC-Target-URI: http://host${number}.test/a/page/that/moved\r\n${padding}Location: http://host${number}.test/where/it/stands\r\n`,
    ).toString('latin1');
    aliases.add(
      head.slice(17, head.indexOf('\r')),
      head.slice(head.indexOf('Location: ') + 10, head.lastIndexOf('\r')),
    );
  };
  add(new PageAliases(), 0);
  collect();
  const before = process.memoryUsage().heapUsed;
  const aliases = new PageAliases();
  for (let number = 0; number < count; number++) add(aliases, number);
  collect();
  const bytes = (process.memoryUsage().heapUsed - before) / count;
  assert.equal(aliases.directOf('http://host7.test/a/page/that/moved'), 'http://host7.test/where/it/stands');
  assert.ok(bytes < 450, `${bytes} bytes an alias`);
});
