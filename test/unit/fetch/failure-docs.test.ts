import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { FailureCode } from '../../../src/contracts/fetcher.ts';
import { failureRule } from '../../../src/fetch/failure-table.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1000, min: 60_000, h: 3_600_000, day: 86_400_000 };

test('docs/fetching.md tells every rule of the failure table as it is', () => {
  const page = readFileSync(new URL('../../../docs/fetching.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('| code |')).split('\n').slice(2);
  const told = new Set<string>();
  for (const line of table) {
    if (!line.startsWith('|')) break;
    const [codes, wait, retries, fault, rests] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim());
    const [amount, unit] = wait.split(' ');
    for (const [, code] of codes.matchAll(/`([a-z0-9-]+)`/g)) {
      told.add(code);
      const waitMs = wait === '–' ? 0 : Number(amount) * UNITS[unit];
      const expected = { waitMs, retries: Number(retries), fault, restHost: rests === 'yes' };
      assert.deepEqual(failureRule(code as FailureCode), expected, code);
    }
  }
  assert.equal(told.size, 26);
});
