import type { ProcessSample } from './crawl-process.ts';
import type { SoakSample } from './soak-run.ts';

export interface LifeResources {
  readonly life: number;
  readonly seconds: number;
  readonly peakRssBytes: number;
  /** RSS and open files when ten minutes were over, and at the end; only of lives of a quarter of an hour and more. */
  readonly early?: ProcessSample;
  readonly late?: ProcessSample;
}

const EARLY_SECONDS = 600;
const LONG_SECONDS = 900;
const WINDOW_SECONDS = 30;
/** A process that is being stopped gives memory back, which would hide that it had grown. */
const STOP_SECONDS = 120;
const GROWTH = 1.1;
/** Of files, more are no growth where few are open. */
const FEW_FILES = 8;

/** What each life of the process took, and how much more at its end than after ten minutes. */
export function resourcesOf(samples: readonly SoakSample[]): LifeResources[] {
  return [...Map.groupBy(samples, ({ life }) => life)].map(([life, own]) => {
    const begin = own[0].seconds;
    const seconds = (own.at(-1)?.seconds ?? begin) - begin;
    const peakRssBytes = Math.max(...own.map(({ rssBytes }) => rssBytes));
    if (seconds < LONG_SECONDS) return { life, seconds, peakRssBytes };
    const around = (at: number) => {
      const near = own.filter((sample) => Math.abs(sample.seconds - begin - at) <= WINDOW_SECONDS);
      return {
        rssBytes: median(near.map(({ rssBytes }) => rssBytes)),
        files: median(near.map(({ files }) => files)),
        segments: median(near.map(({ segments }) => segments)),
        sockets: median(near.map(({ sockets }) => sockets)),
      };
    };
    return { life, seconds, peakRssBytes, early: around(EARLY_SECONDS), late: around(seconds - STOP_SECONDS) };
  });
}

export function resourceFaults(lives: readonly LifeResources[]): string[] {
  return lives.flatMap(({ life, early, late }) => {
    if (early === undefined || late === undefined) return [];
    const faults: string[] = [];
    if (late.rssBytes > GROWTH * early.rssBytes)
      faults.push(
        `RSS of life ${life}: ${megabytes(early.rssBytes)} at ten minutes, ${megabytes(late.rssBytes)} at the end`,
      );
    if (late.files > Math.max(GROWTH * early.files, early.files + FEW_FILES))
      faults.push(`open files of life ${life}: ${early.files} at ten minutes, ${late.files} at the end`);
    return faults;
  });
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
