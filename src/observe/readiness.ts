/** Why something cannot do its work now; undefined where it can. */
export type ReadinessCheck = () => string | undefined | Promise<string | undefined>;

export interface ReadinessReport {
  readonly ready: boolean;
  /** By the name of the check; what keeps it from being ready, in words. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Longer than a probe waits: a check that does not come back counts as failed. */
const CHECK_MS = 3000;

/** Whether a process can do its work, and why not. */
export class Readiness {
  readonly #checks = new Map<string, ReadinessCheck>();

  /** Until it is disposed of. */
  add(name: string, check: ReadinessCheck): Disposable {
    this.#checks.set(name, check);
    return { [Symbol.dispose]: () => this.#checks.delete(name) };
  }

  async report(): Promise<ReadinessReport> {
    const answers = await Promise.all(
      Array.from(this.#checks, async ([name, check]) => [name, await reasonOf(check)] as const),
    );
    const reasons = Object.fromEntries(answers.filter(([, reason]) => reason !== undefined)) as Record<string, string>;
    return { ready: Object.keys(reasons).length === 0, reasons };
  }
}

async function reasonOf(check: ReadinessCheck): Promise<string | undefined> {
  const late = Promise.withResolvers<string>();
  const timer = setTimeout(() => late.resolve(`No answer within ${CHECK_MS / 1000} s.`), CHECK_MS);
  try {
    return await Promise.race([Promise.resolve().then(check), late.promise]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    clearTimeout(timer);
  }
}
