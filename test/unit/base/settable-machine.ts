import { SteadyClock } from '../../../src/base/steady-clock.ts';

/** From the start of the machine until a process runs. */
export const START_MS = 1000;

/** A machine whose clock can be set, that can sleep and be restarted. Its time passes when told to. */
export class SettableMachine {
  readonly #firstDate: number;
  #real = 0;
  #awake = 5_000_000;
  #bootedAt = -5_000_000;
  #set = 0;

  constructor(date = 1_800_000_000_000) {
    this.#firstDate = date;
  }

  /** The clock of a process that begins now. */
  start(): SteadyClock {
    return new SteadyClock({ date: () => this.date, elapsed: () => this.#awake, uptime: () => this.uptime });
  }

  /** What has really passed, whatever the clock says. */
  get real(): number {
    return this.#real;
  }

  get awake(): number {
    return this.#awake;
  }

  get date(): number {
    return this.#firstDate + this.#real + this.#set;
  }

  get uptime(): number {
    return this.#real - this.#bootedAt;
  }

  pass(ms: number): void {
    this.#awake += ms;
    this.#real += ms;
  }

  sleep(ms: number): void {
    this.#real += ms;
  }

  /** Off for some time, the start included; whatever ran on it has ended. No process sees an uptime of 0, which stands for none. */
  reboot(ms: number): void {
    this.#real += ms;
    this.#bootedAt = this.#real - START_MS;
    this.#awake = START_MS;
  }

  set(ms: number): void {
    this.#set += ms;
  }
}
