import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../base/clock.ts';
import { type ErrorCode, OrbweaverError } from '../../../base/errors.ts';
import { reportPath } from '../../crawl-folder.ts';
import type { ReportProgress } from './build-report.ts';
import { isOutdated, linksOf } from './make-report.ts';
import type { ReportNotice } from './report-thread.ts';
import { SiteReport } from './site-report.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './report-thread.ts' : './report-thread.js', import.meta.url);

/** While a crawl runs, its report is made again when so many times have passed that the last making took. */
const REST = 30;
/** A small crawl has its report within this time, and is shown it at once. */
const WAIT_MS = 1500;

/** The report as it can be shown now. */
export interface ReportState {
  /** Undefined while the first one is being made. */
  readonly report: SiteReport | undefined;
  /** Set while one is being made. */
  readonly making?: ReportProgress;
  /** Why the last one could not be made. */
  readonly fault?: OrbweaverError;
}

/** The report of a folder for a server: made when it is first asked for, in a thread, and again when the crawl has gone on. */
export class FolderReport implements AsyncDisposable {
  readonly #folder: string;
  readonly #clock: Clock;
  #report: SiteReport | undefined;
  /** Readers under way: what they read is closed when the last of them has ended. */
  readonly #uses = new Map<SiteReport, number>();
  #worker: Worker | undefined;
  #made: Promise<void> = Promise.resolve();
  #progress: ReportProgress | undefined;
  #fault: OrbweaverError | undefined;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** The report as it is, which stays open until the lease ends. Has it made again where it is outdated. */
  async lease(): Promise<ReportState & Disposable> {
    this.#report ??= this.#open();
    if (this.#worker === undefined && this.#isDue()) this.#make();
    if (this.#progress !== undefined && this.#report === undefined)
      await Promise.race([this.#made, this.#clock.sleep(WAIT_MS)]);
    const report = this.#report;
    if (report !== undefined) this.#uses.set(report, (this.#uses.get(report) ?? 0) + 1);
    return {
      report,
      ...(this.#progress === undefined ? {} : { making: this.#progress }),
      ...(this.#fault === undefined ? {} : { fault: this.#fault }),
      [Symbol.dispose]: () => {
        if (report !== undefined) this.#release(report);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
    await this.#made;
    const report = this.#report;
    this.#report = undefined;
    if (report !== undefined && !this.#uses.has(report)) this.#close(report);
  }

  #open(): SiteReport | undefined {
    return SiteReport.open(reportPath(this.#folder), () => linksOf(this.#folder));
  }

  #isDue(): boolean {
    const now = this.#clock.now();
    if (this.#report === undefined) return now - this.#failedAt >= WAIT_MS;
    const { madeAt, tookMs } = this.#report.about;
    const rested = now - Math.max(madeAt + tookMs, this.#failedAt) >= REST * Math.max(tookMs, 100);
    return rested && isOutdated(this.#folder, this.#report.about);
  }

  #make(): void {
    this.#progress = { stage: 'reading', urls: 0 };
    const worker = new Worker(THREAD, { workerData: { folder: this.#folder } });
    this.#worker = worker;
    let isMade = false;
    worker.on('message', (notice: ReportNotice) => {
      if (notice.kind === 'progress') this.#progress = notice.progress;
      else if (notice.kind === 'made') isMade = true;
      else this.#failed(notice.code as ErrorCode, notice.message, notice.remedy);
    });
    worker.on('error', (cause) => this.#failed('INTERNAL', `The report could not be made (${cause.message}).`));
    worker.unref();
    this.#made = new Promise((resolve) =>
      worker.once('exit', () => {
        this.#worker = undefined;
        this.#progress = undefined;
        if (isMade) this.#replace();
        resolve();
      }),
    );
  }

  #failed(code: ErrorCode, message: string, remedy?: string): void {
    this.#failedAt = this.#clock.now();
    // Another process makes it: what it makes is read when it is there.
    if (code === 'FOLDER_IN_USE') this.#replace();
    else this.#fault = new OrbweaverError(code, message, remedy === undefined ? {} : { remedy });
  }

  #replace(): void {
    const newer = this.#open();
    if (newer === undefined) return;
    const former = this.#report;
    this.#report = newer;
    this.#fault = undefined;
    if (former !== undefined && !this.#uses.has(former)) this.#close(former);
  }

  #release(report: SiteReport): void {
    const uses = (this.#uses.get(report) ?? 1) - 1;
    if (uses > 0) {
      this.#uses.set(report, uses);
      return;
    }
    this.#uses.delete(report);
    if (report !== this.#report) this.#close(report);
  }

  #close(report: SiteReport): void {
    report[Symbol.dispose]();
  }
}
