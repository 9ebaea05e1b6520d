import { join } from 'node:path';
import type { ChaosEvent } from './chaos-plan.ts';
import { CrawlProcess, type ProcessEnd, type ProcessSample } from './crawl-process.ts';
import type { CrawlVolume } from './crawl-volume.ts';
import type { FakedClock } from './faked-clock.ts';
import type { SoakWeb } from './soak-web.ts';
import { countsOf, leasesLeft } from './state-look.ts';

export interface SoakSample extends ProcessSample {
  /** Since the start of the soak. */
  readonly seconds: number;
  readonly life: number;
  readonly pages?: number;
  readonly queued?: number;
}

export interface SoakEvent {
  readonly seconds: number;
  /** ms since the epoch. */
  readonly at: number;
  readonly what: string;
  readonly detail: string;
}

/** An end of the process that gave up what was under way. */
export interface Interruption {
  /** `stop`: it was asked to end, and gave what was under way a moment. */
  readonly kind: 'killed' | 'stopped';
  /** When it was asked to end, and when it had: ms since the epoch. Of a kill they are the same. */
  readonly from: number;
  readonly at: number;
  /** Requests that it was making: so many may have to be made again, and no more. */
  readonly underWay: number;
}

export interface SoakParts {
  readonly web: SoakWeb;
  readonly volume: CrawlVolume;
  readonly folder: string;
  readonly out: string;
  readonly args: readonly string[];
  readonly clock: FakedClock | undefined;
  /** How long the log of the server is by now. */
  readonly loggedBytes: () => number;
  readonly print: (line: string) => void;
}

const SAMPLE_MS = 2000;
const STOP_PATIENCE_MS = 90_000;
const JUMP_AFTER_MS = 5000;
const WORK_PATIENCE_MS = 120_000;
const LINES_LEFT = 4000;
/** What the command says of a stop, and of a disk that takes no more. */
const STOPPED = 130;
const DISK = 4;

/** The crawl of a soak through all its lives: starts it, lets things happen to it, and writes down how it does. */
export class SoakRun {
  readonly samples: SoakSample[] = [];
  readonly events: SoakEvent[] = [];
  /** What must not have happened. */
  readonly faults: string[] = [];
  /** In order. */
  readonly interruptions: Interruption[] = [];
  readonly #parts: SoakParts;
  readonly #beganAt = Date.now();
  #life = 0;
  #loggedBefore = 0;
  #process: CrawlProcess | undefined;
  #sampler: NodeJS.Timeout | undefined;

  constructor(parts: SoakParts) {
    this.#parts = parts;
  }

  get elapsedMs(): number {
    return Date.now() - this.#beganAt;
  }

  start(): void {
    this.#begin();
    this.#sampler = setInterval(() => this.#sample(), SAMPLE_MS);
  }

  /** Starts it again where it has ended by itself, which it never should. */
  watch(): void {
    const end = this.#process?.end;
    if (end === undefined) return;
    this.#fault(`the crawl ended by itself with ${end.code ?? end.signal}`, end.stderr);
    this.#forget();
    this.#begin();
  }

  async act(event: ChaosEvent): Promise<void> {
    this.watch();
    switch (event.kind) {
      case 'kill':
        if (event.atWork) await this.#untilAtWork();
        await this.#kill();
        await pause(event.restMs);
        return this.#begin();
      case 'stop':
        await this.stop(event.signal);
        await pause(event.restMs);
        return this.#begin();
      case 'full-disk':
        return await this.#fillDisk(event.lastsMs);
      case 'clock-jump':
        return await this.#jump(event.seconds, event.lastsMs);
      case 'address-down':
        return await this.#takeDown(event.address, event.lastsMs);
    }
  }

  async stop(signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
    const { folder } = this.#parts;
    const before = leasesLeft(folder);
    const from = Date.now();
    const ending = this.#process?.send(signal, STOP_PATIENCE_MS);
    // Claims that were being made when the signal came are in one of the two numbers.
    const underWay = Math.max(before, leasesLeft(folder));
    const end = await ending;
    const how = end === undefined ? 'no end' : `ended with ${end.code ?? end.signal}`;
    this.#note('stop', `${signal}, ${underWay} requests under way, ${how}`);
    if (end === undefined) {
      this.#fault(`${signal} did not end the crawl in ${STOP_PATIENCE_MS / 1000} s`, '');
      await this.#kill();
    } else if (end.signal === signal && !this.#isAtWork()) {
      // Before it has begun to listen for signals it ends like any process: as good as a kill.
      this.#forget();
    } else {
      this.interruptions.push({ kind: 'stopped', from, at: end.at, underWay });
      if (end.code !== STOPPED) this.#fault(`${signal} ended the crawl with ${end.code ?? end.signal}`, end.stderr);
    }
    this.#process = undefined;
  }

  async finish(): Promise<void> {
    this.watch();
    await this.stop('SIGTERM');
    clearInterval(this.#sampler);
  }

  /** Ends the process at once; the soak is over. */
  abandon(): void {
    this.#process?.kill();
  }

  /** Waits until requests are under way: a start takes longer than the time between many events. */
  async #untilAtWork(): Promise<void> {
    const deadline = Date.now() + WORK_PATIENCE_MS;
    while (Date.now() < deadline && !this.#isAtWork()) await pause(100);
    this.watch();
  }

  /** Whether this life of the process has made requests: what was under way at the end of the last one is a few lines. */
  #isAtWork(): boolean {
    return this.#parts.loggedBytes() > this.#loggedBefore + LINES_LEFT;
  }

  async #kill(): Promise<void> {
    await this.#process?.send('SIGKILL', STOP_PATIENCE_MS);
    this.#note('kill', this.#isAtWork() ? `${leasesLeft(this.#parts.folder)} requests under way` : 'at its start');
    this.#forget();
  }

  /** What was under way is lost. */
  #forget(): void {
    const at = this.#process?.end?.at ?? Date.now();
    this.interruptions.push({ kind: 'killed', from: at, at, underWay: leasesLeft(this.#parts.folder) });
    this.#process = undefined;
  }

  async #fillDisk(lastsMs: number): Promise<void> {
    await this.#untilAtWork();
    const process = this.#process;
    if (process === undefined) return;
    const { volume } = this.#parts;
    volume.fill(process.pid);
    this.#note('disk full', volume.kind);
    await Promise.race([pause(lastsMs), process.ended]);
    const end: ProcessEnd | undefined = process.end;
    volume.empty(end === undefined ? process.pid : undefined);
    this.#note(
      'disk free',
      end === undefined ? 'the crawl goes on' : `the crawl had ended with ${end.code ?? end.signal}`,
    );
    if (end === undefined) return;
    if (end.code !== DISK) this.#fault(`a full disk ended the crawl with ${end.code ?? end.signal}`, end.stderr);
    this.#forget();
    this.#begin();
  }

  async #jump(seconds: number, lastsMs: number): Promise<void> {
    const { clock } = this.#parts;
    if (clock === undefined) return;
    await this.stop('SIGTERM');
    clock.set(0);
    this.#begin(clock.environment);
    await this.#untilAtWork();
    await pause(JUMP_AFTER_MS);
    clock.set(seconds);
    this.#note('clock', `${seconds} s`);
    await pause(lastsMs);
    this.watch();
    await this.stop('SIGTERM');
    this.#note('clock', 'right again');
    this.#begin();
  }

  async #takeDown(address: number, lastsMs: number): Promise<void> {
    const { web } = this.#parts;
    await web.tell({ order: 'close-address', address });
    this.#note('address down', `127.20.0.${address + 1} for ${lastsMs} ms`);
    setTimeout(() => web.tell({ order: 'open-address', address }), lastsMs);
  }

  #begin(env: NodeJS.ProcessEnv = {}): void {
    this.#life++;
    this.#loggedBefore = this.#parts.loggedBytes();
    this.#process = new CrawlProcess(this.#parts.args, join(this.#parts.out, 'crawl.log'), { ...process.env, ...env });
  }

  #sample(): void {
    const sample = this.#process?.sample();
    if (sample === undefined) return;
    this.samples.push({ seconds: this.elapsedMs / 1000, life: this.#life, ...sample, ...countsOf(this.#parts.folder) });
  }

  #note(what: string, detail: string): void {
    this.events.push({ seconds: this.elapsedMs / 1000, at: Date.now(), what, detail });
    this.#parts.print(`${(this.elapsedMs / 1000).toFixed(0).padStart(6)} s  ${what}: ${detail}`);
  }

  #fault(what: string, stderr: string): void {
    this.#note('fault', what);
    this.faults.push(`${new Date().toISOString()} ${what}${stderr === '' ? '' : `: ${stderr.slice(-800)}`}`);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
