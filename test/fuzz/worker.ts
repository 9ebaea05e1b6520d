import { parentPort, workerData } from 'node:worker_threads';
import { BatchRunner } from './batch-runner.ts';
import { BlockCoverage } from './block-coverage.ts';
import { CurrentInput } from './current-input.ts';
import { InputMaker } from './input-maker.ts';
import { samplesOf } from './samples.ts';
import { loadTarget } from './targets/list.ts';

/** What the watchdog tells a worker. */
export interface WorkerTask {
  readonly target: string;
  readonly seed: number;
  readonly memory: SharedArrayBuffer;
  /** Run this one input and end. */
  readonly single?: Uint8Array;
  readonly firstBatch: number;
  readonly batchSize: number;
  readonly maxInputs: number;
  readonly guided: boolean;
  /** Inputs that earlier runs have kept. */
  readonly learned: readonly Uint8Array[];
}

const task = workerData as WorkerTask;
const current = new CurrentInput(task.memory);
// Before the target brings in the product, whose blocks are to be counted.
const coverage = task.guided ? new BlockCoverage() : undefined;
const target = await loadTarget(task.target);
if (task.single !== undefined) {
  current.set(task.single);
  await target.run(task.single);
} else {
  const maker = new InputMaker(target, [...samplesOf(target), ...task.learned]);
  const runner = new BatchRunner({ target, maker, seed: task.seed, current, ...(coverage && { coverage }) });
  let done = 0;
  for (let batch = task.firstBatch; done < task.maxInputs && !current.stopAsked; batch++) {
    const report = await runner.run(batch, Math.min(task.batchSize, task.maxInputs - done));
    done += report.inputs;
    parentPort?.postMessage({ ...report, blocks: coverage?.blocks });
  }
}
await target.close?.();
coverage?.close();
