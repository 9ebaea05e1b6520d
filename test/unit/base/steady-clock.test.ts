import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { dateOf } from '../../../src/base/clock.ts';
import { SteadyClock } from '../../../src/base/steady-clock.ts';
import { SettableMachine } from './settable-machine.ts';

const HOUR = 3_600_000;

test('time begins with the date and does not follow the system clock, forward or back', () => {
  const machine = new SettableMachine();
  const clock = machine.start();
  const began = clock.now();
  assert.equal(began, machine.date);
  for (const jump of [25 * HOUR, -25 * HOUR, -400 * 24 * HOUR]) {
    machine.set(jump);
    machine.pass(5000);
  }
  assert.equal(clock.now() - began, 15_000);
});

test('a jump is told once, with its size; small corrections are not', () => {
  const machine = new SettableMachine();
  const clock = machine.start();
  const told = () => {
    machine.pass(2000);
    clock.now();
    return clock.takeJumps();
  };
  assert.deepEqual(told(), []);
  machine.set(25 * HOUR);
  assert.deepEqual(told(), [{ kind: 'set', ms: 25 * HOUR }]);
  assert.deepEqual(told(), []);
  machine.set(800);
  assert.deepEqual(told(), []);
  machine.set(-25 * HOUR - 800);
  assert.deepEqual(told(), [{ kind: 'set', ms: -25 * HOUR }]);
});

test('dates follow the system clock, but for what clocks are off by anyway', () => {
  const machine = new SettableMachine();
  const clock = machine.start();
  machine.set(40);
  machine.pass(5000);
  assert.equal(dateOf(clock, clock.now()), clock.now());
  machine.set(25 * HOUR);
  assert.equal(dateOf(clock, clock.now()), machine.date);
});

test('sleep of the machine counts as time, is told, and is no jump of the clock', () => {
  const machine = new SettableMachine();
  const clock = machine.start();
  const began = clock.now();
  machine.sleep(8 * HOUR);
  machine.pass(1000);
  assert.equal(clock.now() - began, 8 * HOUR + 1000);
  assert.equal(clock.slept(), 8 * HOUR);
  assert.equal(clock.uptime(), machine.uptime);
  assert.deepEqual(clock.takeJumps(), [{ kind: 'slept', ms: 8 * HOUR }]);
});

test('the uptime counts sleep that nobody has noticed yet, and is asked of the machine once a second', () => {
  let asked = 0;
  const machine = new SettableMachine();
  const clock = new SteadyClock({
    ...{ date: () => machine.date, elapsed: () => machine.awake },
    uptime: () => {
      asked++;
      return machine.uptime;
    },
  });
  const before = asked;
  for (let turn = 0; turn < 20; turn++) {
    machine.pass(100);
    assert.equal(clock.uptime(), machine.uptime);
  }
  assert.equal(asked - before, 2);
  for (const asleep of [8 * HOUR, 300]) {
    machine.sleep(asleep);
    assert.equal(clock.uptime(), machine.uptime);
  }
  assert.equal(asked - before, 4);
});

test('threads read the same time as the one that made the clock', async () => {
  const clock = new SteadyClock();
  const code = `
    const { workerData, parentPort } = require('node:worker_threads');
    import(workerData.module).then(({ SteadyClock }) => {
      parentPort.postMessage(new SteadyClock({ date: () => 0 }, workerData.shared).now());
    });`;
  const module = new URL('../../../src/base/steady-clock.ts', import.meta.url).href;
  const before = clock.now();
  const worker = new Worker(code, { eval: true, workerData: { module, shared: clock.shared } });
  const there = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  });
  assert.ok(before <= there && there <= clock.now(), `${before} ${there} ${clock.now()}`);
});
