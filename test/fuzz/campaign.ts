import type { FuzzFolder } from './fuzz-folder.ts';
import { minimise } from './minimise.ts';
import { DEFAULT_WATCH_LIMITS, type Loss, type WatchLimits, watchWorker } from './watched-worker.ts';

export interface CampaignOptions {
  readonly targets: readonly string[];
  /** Of each target, those of earlier runs included. */
  readonly inputs: number;
  /** Wall time of the whole run; undefined: until all inputs are done. */
  readonly seconds?: number;
  readonly limits?: WatchLimits;
  readonly lossTries?: number;
}

const BATCH = 500;
/** One target after the other, for this long at a time: a slow one does not keep the others waiting. */
const TURN_MS = 15_000;
/** Counting blocks costs speed, so the first share of a target's inputs alone is guided. */
const GUIDED_SHARE = 0.1;
const MOST_GUIDED = 2_000;
/** Smaller, for each batch that reaches new blocks is halved until the inputs are found that do. */
const GUIDED_BATCH = 64;
/** Inputs tried to shorten one that was lost: each may take the whole limit. */
const LOSS_TRIES = 40;

/** Runs targets in turns until each has its inputs or time is up. Answers the files of the findings. */
export async function runCampaign(
  folder: FuzzFolder,
  options: CampaignOptions,
  log: (line: string) => void,
): Promise<string[]> {
  const limits = options.limits ?? DEFAULT_WATCH_LIMITS;
  const end = options.seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + options.seconds * 1_000;
  const findings: string[] = [];
  let waiting = [...options.targets];
  while (waiting.length > 0 && performance.now() < end) {
    for (const target of waiting) {
      if (performance.now() >= end) break;
      const turn = await takeTurn(folder, target, options, limits, end, log);
      findings.push(...turn.findings);
      // The next batches would be lost to the same fault.
      if (turn.lost) waiting = waiting.filter((other) => other !== target);
      folder.save();
    }
    waiting = waiting.filter((target) => folder.progressOf(target).inputs < options.inputs);
  }
  return findings;
}

async function takeTurn(
  folder: FuzzFolder,
  target: string,
  { inputs, lossTries = LOSS_TRIES }: CampaignOptions,
  limits: WatchLimits,
  end: number,
  log: (line: string) => void,
): Promise<{ readonly findings: string[]; readonly lost: boolean }> {
  const { inputs: done, batches } = folder.progressOf(target);
  const left = inputs - done;
  if (left <= 0) return { findings: [], lost: false };
  const guidedLeft = Math.min(Math.ceil(inputs * GUIDED_SHARE), MOST_GUIDED) - done;
  const guided = guidedLeft > 0;
  const started = performance.now();
  const findings: string[] = [];
  const { seed } = folder;
  const loss = await watchWorker(
    {
      ...{
        target,
        seed,
        firstBatch: batches,
        batchSize: guided ? GUIDED_BATCH : BATCH,
        guided,
        learned: folder.learned(target),
      },
      maxInputs: guided ? Math.min(left, guidedLeft) : left,
    },
    limits,
    (report) => {
      folder.add(target, { inputs: report.inputs, batches: 1, blocks: report.blocks ?? 0, cpuMs: 0 });
      for (const input of report.learned) folder.learn(target, input);
      for (const { signature, stack, input, minimised } of report.failures) {
        const file = folder.report({ target, seed, kind: 'exception', signature, detail: stack, input, minimised });
        log(`${target}: ${signature}\n  ${file}\n  ${stack.split('\n').slice(0, 6).join('\n  ')}`);
        findings.push(file);
      }
    },
    () => performance.now() - started > TURN_MS || performance.now() >= end,
  );
  if (loss !== undefined) {
    const file = await reportLoss(folder, target, loss, limits, lossTries);
    log(`${target}: ${loss.kind}, ${loss.detail.split('\n')[0]}\n  ${file}`);
    findings.push(file);
    // The batch that was lost is not tried again when the campaign is resumed.
    folder.add(target, { inputs: 0, batches: 1, blocks: 0, cpuMs: 0 });
  }
  const now = folder.progressOf(target);
  const rate = Math.round(((now.inputs - done) * 1_000) / (performance.now() - started));
  folder.add(target, { inputs: 0, batches: 0, blocks: 0, cpuMs: Math.round(performance.now() - started) });
  log(
    `${target}: ${now.inputs.toLocaleString('en')} inputs, ${rate.toLocaleString('en')}/s${guided ? `, ${now.blocks} blocks` : ''}`,
  );
  return { findings, lost: loss !== undefined };
}

async function reportLoss(
  folder: FuzzFolder,
  target: string,
  loss: Loss,
  limits: WatchLimits,
  tries: number,
): Promise<string> {
  const { seed } = folder;
  const again = async (single: Uint8Array): Promise<boolean> => {
    const task = { target, seed, single, firstBatch: 0, batchSize: 1, maxInputs: 1, guided: false, learned: [] };
    return (await watchWorker(task, limits, () => {}))?.kind === loss.kind;
  };
  const minimised = await minimise(loss.input, again, tries);
  const { kind, input, detail } = loss;
  return folder.report({ target, seed, kind, signature: kind, detail, input, minimised });
}
