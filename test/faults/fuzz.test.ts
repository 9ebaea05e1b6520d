import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { BatchRunner } from '../fuzz/batch-runner.ts';
import { runCampaign } from '../fuzz/campaign.ts';
import { FuzzFolder } from '../fuzz/fuzz-folder.ts';
import { InputMaker } from '../fuzz/input-maker.ts';
import { Random } from '../fuzz/random.ts';
import type { FuzzTarget } from '../fuzz/target.ts';
import { loadTarget, TARGET_NAMES } from '../fuzz/targets/list.ts';
import { quickOrLong } from '../property-runs.ts';

/** Targets that start threads or write files for every input get fewer. */
const SLOW = new Map([
  ['pdf', 4],
  ['office-xml', 15],
  ['office-binary', 15],
  ['index-files', 15],
  ['warc', 15],
  ['settings-file', 20],
]);
const INPUTS = quickOrLong(30, 60);

describe('a slice of the fuzzing of every parser', () => {
  for (const name of TARGET_NAMES) {
    test(name, async () => {
      const target = await loadTarget(name);
      // Built-in samples alone: the slice is the same on every machine.
      const runner = new BatchRunner({ target, maker: new InputMaker(target), seed: 1 });
      const { failures } = await runner.run(0, SLOW.get(name) ?? INPUTS);
      await target.close?.();
      assert.deepEqual(
        failures.map(({ stack, minimised }) => ({ stack, input: Buffer.from(minimised).toString('latin1') })),
        [],
      );
    });
  }
});

describe('the fuzzer finds what it is there for', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-fuzz-test-'));
  after(() => rmSync(folder, { recursive: true }));
  const limits = { maxCpuMs: 500, maxHeapMb: 64 };
  const campaign = async (target: string, place: string): Promise<{ kind: string; minimised: string }> => {
    const kept = new FuzzFolder(join(folder, place), 1, false);
    const [file] = await runCampaign(kept, { targets: [target], inputs: 200, limits, lossTries: 2 }, () => {});
    assert.ok(file !== undefined, 'nothing was found');
    const { kind } = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as { kind: string };
    return { kind, minimised: readFileSync(file, 'latin1') };
  };

  test('an exception, with a short input', async () => {
    const target: FuzzTarget = {
      ...{ name: 'planted', samples: ['a long sample with BUG in it'], pieces: ['BUG', 'x'] },
      run: (input) => {
        if (Buffer.from(input).includes('BUG')) throw new TypeError('planted');
      },
    };
    const { failures } = await new BatchRunner({ target, maker: new InputMaker(target), seed: 1 }).run(0, 200);
    assert.equal(failures.length, 1);
    assert.equal(Buffer.from(failures[0].minimised).toString(), 'BUG');
  });

  test('a hang', async () => {
    const { kind, minimised } = await campaign('planted-hang', 'hang');
    assert.equal(kind, 'hang');
    assert.match(minimised, /!/);
  });

  test('exhausted memory', async () => assert.equal((await campaign('planted-memory', 'memory')).kind, 'memory'));

  test('a run is resumed where it ended, and keeps what reached new code', async () => {
    const place = join(folder, 'resumed');
    const first = new FuzzFolder(place, 7, false);
    await runCampaign(first, { targets: ['glob'], inputs: 64 }, () => {});
    const second = new FuzzFolder(place, 8, true);
    assert.equal(second.seed, 7);
    assert.equal(second.progressOf('glob').inputs, 64);
    await runCampaign(second, { targets: ['glob'], inputs: 100 }, () => {});
    assert.equal(second.progressOf('glob').inputs, 100);
    assert.ok(readdirSync(join(place, 'learned', 'glob')).length > 0, 'no input was kept for what it reached');
    assert.ok(second.progressOf('glob').blocks > 0);
  });

  test('the same seed makes the same inputs', async () => {
    const maker = new InputMaker(await loadTarget('url'));
    const made = (seed: number): string[] => {
      const random = new Random(seed, 3);
      return Array.from({ length: 50 }, () => Buffer.from(maker.make(random)).toString('hex'));
    };
    assert.deepEqual(made(5), made(5));
    assert.notDeepEqual(made(5), made(6));
  });
});
