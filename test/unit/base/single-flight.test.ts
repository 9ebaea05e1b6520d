import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SingleFlight } from '../../../src/base/single-flight.ts';

describe('SingleFlight', () => {
  test('callers of one key at one time share one piece of work', async () => {
    const flights = new SingleFlight<string, number>();
    let started = 0;
    const work = async (): Promise<number> => ++started;
    const results = await Promise.all([flights.run('a', work), flights.run('a', work), flights.run('b', work)]);
    assert.deepEqual(results, [1, 1, 2]);
    assert.equal(flights.size, 0);
    assert.equal(await flights.run('a', work), 3);
  });

  test('a failure goes to all of them and is not remembered', async () => {
    const flights = new SingleFlight<string, number>();
    const broken = (): Promise<number> => {
      throw new Error('at once');
    };
    const results = await Promise.allSettled([flights.run('a', broken), flights.run('a', async () => 1)]);
    assert.deepEqual(
      results.map((result) => result.status),
      ['rejected', 'rejected'],
    );
    assert.equal(await flights.run('a', async () => 7), 7);
  });
});
