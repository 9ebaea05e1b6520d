import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AskedHosts } from '../../../../src/engines/postgres/asked-hosts.ts';

/** A partition in a time of its own. All its hosts are due but those that rest. */
class FakePartition {
  busy: number[] = [];
  resting: number[] = [];
  next: number[] = [];
  now = 0;
  readonly asked = new AskedHosts(
    {
      busyHosts: () => this.busy,
      dueHosts: (hosts) => hosts.filter((host) => !this.resting.includes(host)),
      nextHosts: (_, max) => this.next.slice(0, max),
    },
    () => this.now,
  );

  write(isDurable = true): number[] {
    const names = this.asked.toName(false);
    if (isDurable) this.asked.named(names);
    return names.toSorted((a, b) => a - b);
  }
}

test('a host that is asked again and again is named once', () => {
  const partition = new FakePartition();
  partition.busy = [7];
  assert.equal(partition.asked.areNamed, false);
  partition.write();
  assert.equal(partition.asked.areNamed, true);
  for (let visit = 0; visit < 10; visit++) {
    partition.now += 4000;
    partition.busy = [];
    assert.deepEqual(partition.write(false), [7]);
    partition.busy = [7];
    assert.equal(partition.asked.areNamed, true);
    assert.deepEqual(partition.write(false), [7]);
  }
});

test('one that rests longer, or was asked long ago, is not', () => {
  const partition = new FakePartition();
  partition.busy = [1, 2, 3];
  partition.write();
  partition.busy = [3];
  partition.resting = [2];
  assert.deepEqual(partition.write(), [1, 3]);
  partition.now += 5000;
  assert.deepEqual(partition.write(), [3]);
  partition.busy = [1];
  assert.equal(partition.asked.areNamed, false);
});

test('what a crash may undo names nobody', () => {
  const partition = new FakePartition();
  partition.busy = [1];
  partition.write();
  partition.busy = [1, 2];
  partition.write(false);
  assert.equal(partition.asked.areNamed, false);
  partition.write();
  assert.equal(partition.asked.areNamed, true);
});

test('a transaction on its way that leaves a host out counts at once', () => {
  const partition = new FakePartition();
  partition.busy = [1];
  partition.write();
  partition.busy = [];
  partition.resting = [1];
  partition.asked.toName(false);
  partition.busy = [1];
  assert.equal(partition.asked.areNamed, false);
});

test('there are a hundred, or as many as are being asked', () => {
  const partition = new FakePartition();
  for (let host = 0; host < 150; host++) {
    partition.busy = [host];
    partition.write();
  }
  assert.deepEqual(
    partition.write(),
    Array.from({ length: 100 }, (_, at) => 50 + at),
  );
  partition.busy = Array.from({ length: 300 }, (_, host) => host);
  assert.equal(partition.write().length, 300);
});

test('hosts whose turns come next are named before they are asked, some of them', () => {
  const partition = new FakePartition();
  partition.next = [1, 2, 3];
  assert.deepEqual(partition.write(), [], 'nobody claims');
  partition.busy = [1];
  assert.deepEqual(partition.write(), [1, 2, 3]);
  partition.busy = [2, 3];
  assert.equal(partition.asked.areNamed, true);
  partition.next = Array.from({ length: 1000 }, (_, at) => 10 + at);
  assert.equal(partition.write().length, 67);
});

test('the last transaction of an owner names those that are being asked and no others', () => {
  const partition = new FakePartition();
  partition.busy = [1, 2];
  partition.write();
  partition.busy = [2];
  assert.deepEqual(partition.asked.toName(true), [2]);
});
