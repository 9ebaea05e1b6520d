const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Samples older than so much, and how far apart those are that are kept: about 700 of each age, 4,000 of a year. */
const STEPS: readonly { readonly olderMs: number; readonly stepMs: number }[] = [
  { olderMs: 30 * DAY, stepMs: 6 * HOUR },
  { olderMs: 5 * DAY, stepMs: HOUR },
  { olderMs: 12 * HOUR, stepMs: 10 * MINUTE },
  { olderMs: 2 * HOUR, stepMs: MINUTE },
  { olderMs: 10 * MINUTE, stepMs: 10 * SECOND },
];

/** However long a crawl runs: the steps above leave fewer for decades. */
const MOST_SAMPLES = 20_000;

/** Times of samples that are left out by now. Of each step of time the last one stays, and the first and last of every run. */
export function surplusSamples(
  samples: readonly { readonly at: number; readonly run: number }[],
  now: number,
): number[] {
  const surplus = samples.slice(0, -MOST_SAMPLES).map(({ at }) => at);
  const kept = samples.slice(-MOST_SAMPLES);
  for (let place = 1; place + 1 < kept.length; place++) {
    const { at, run } = kept[place];
    const stepMs = STEPS.find(({ olderMs }) => now - at > olderMs)?.stepMs;
    if (stepMs === undefined) break;
    const isEnd = kept[place - 1].run !== run || kept[place + 1].run !== run;
    if (!isEnd && Math.floor(at / stepMs) === Math.floor(kept[place + 1].at / stepMs)) surplus.push(at);
  }
  return surplus;
}
