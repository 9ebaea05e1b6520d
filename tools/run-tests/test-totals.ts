import type { ShardEvent } from './shard-messages.ts';

const CANCELLED: ReadonlySet<string> = new Set(['cancelledByParent', 'testAborted', 'testTimeoutFailure']);

/** Counts as Node's own runner does, and formats as its summary is formatted. */
export class TestTotals {
  readonly #counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
  readonly #durations: { readonly file: string; readonly name: string; readonly ms: number }[] = [];

  readonly #cpuMs = new Map<string, number>();

  spend(file: string, cpuMs: number): void {
    this.#cpuMs.set(file, cpuMs);
  }

  count({ type, data }: ShardEvent): void {
    if (type !== 'test:pass' && type !== 'test:fail') return;
    const { details, skip, todo, nesting, file = '', name } = data;
    if (nesting === 0) this.#durations.push({ file, name, ms: details?.duration_ms ?? 0 });
    if (details?.type === 'suite') {
      this.#counts.suites++;
      return;
    }
    this.#counts.tests++;
    if (skip !== undefined && skip !== false) this.#counts.skipped++;
    else if (todo !== undefined && todo !== false) this.#counts.todo++;
    else if (type === 'test:pass') this.#counts.pass++;
    else if (CANCELLED.has(details?.error?.failureType ?? '')) this.#counts.cancelled++;
    else this.#counts.fail++;
  }

  get passed(): boolean {
    const { tests, fail, cancelled } = this.#counts;
    return tests > 0 && fail === 0 && cancelled === 0;
  }

  summary(durationMs: number): string[] {
    const counts = Object.entries(this.#counts).map(([name, count]) => `${name} ${count}`);
    return [...counts, `duration_ms ${durationMs}`];
  }

  /** Top-level tests by the time they took, and files by processor time. */
  slowest(most: number): { readonly tests: string[]; readonly files: string[] } {
    const seconds = (ms: number): string => `${(ms / 1000).toFixed(1).padStart(7)} s`;
    const tests = this.#durations.toSorted((a, b) => b.ms - a.ms).slice(0, most);
    const files = [...this.#cpuMs].sort((a, b) => b[1] - a[1]).slice(0, most);
    return {
      tests: tests.map(({ file, name, ms }) => `${seconds(ms)}  ${file}: ${name}`),
      files: files.map(([file, ms]) => `${seconds(ms)}  ${file}`),
    };
  }
}
