import { hash32, unit } from '../../../src/simulate/model/seeded-hash.ts';

/** Something that befalls the crawl or the web, at a time counted from the start of the soak. */
export type ChaosEvent = {
  readonly atMs: number;
} /** `atWork`: not before requests are under way; else at any moment, that of a start too. */ & (
  | { readonly kind: 'kill'; readonly restMs: number; readonly atWork: boolean }
  | { readonly kind: 'stop'; readonly signal: 'SIGTERM' | 'SIGINT'; readonly restMs: number }
  | { readonly kind: 'full-disk'; readonly lastsMs: number }
  | { readonly kind: 'clock-jump'; readonly seconds: number; readonly lastsMs: number }
  | { readonly kind: 'address-down'; readonly address: number; readonly lastsMs: number }
);

export interface ChaosOptions {
  readonly seed: number;
  /** The time in which things happen. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly kills: number;
  readonly addresses: number;
  readonly clockJumps: boolean;
  readonly fullDisk: boolean;
}

const PURPOSE = 401;
/** Of what goes with so many kills: at least one. */
const KILLS_PER_STOP = 4;
const KILLS_PER_FULL_DISK = 25;
const KILLS_PER_JUMP = 25;
const KILLS_PER_OUTAGE = 8;

/** All that will happen, in order: the seed decides. */
export function planChaos(options: ChaosOptions): ChaosEvent[] {
  const { fromMs, toMs, kills, addresses } = options;
  let step = 0;
  const drawn = (): number => unit(hash32(options.seed, step++, 0, PURPOSE));
  const between = (from: number, to: number): number => Math.round(from + (to - from) * drawn());
  const times = (count: number): number[] => Array.from({ length: count }, () => between(fromMs, toMs));
  const share = (per: number): number => Math.max(1, Math.round(kills / per));
  const events: ChaosEvent[] = [
    ...times(kills).map((atMs) => ({ kind: 'kill' as const, atMs, restMs: between(0, 2500), atWork: drawn() < 0.75 })),
    ...times(share(KILLS_PER_STOP)).map((atMs, at) => {
      const signal = at % 2 === 0 ? ('SIGTERM' as const) : ('SIGINT' as const);
      return { kind: 'stop' as const, atMs, signal, restMs: between(0, 2500) };
    }),
    ...times(options.fullDisk ? share(KILLS_PER_FULL_DISK) : 0).map((atMs) => {
      return { kind: 'full-disk' as const, atMs, lastsMs: between(5000, 15_000) };
    }),
    ...times(options.clockJumps ? 2 * share(KILLS_PER_JUMP) : 0).map((atMs, at) => {
      const seconds = (at % 2 === 0 ? 1 : -1) * between(60, 7200);
      return { kind: 'clock-jump' as const, atMs, seconds, lastsMs: between(10_000, 25_000) };
    }),
    ...times(addresses === 0 ? 0 : share(KILLS_PER_OUTAGE)).map((atMs) => {
      const address = between(0, addresses - 1);
      return { kind: 'address-down' as const, atMs, address, lastsMs: between(10_000, 40_000) };
    }),
  ];
  return events.sort((one, other) => one.atMs - other.atMs);
}
