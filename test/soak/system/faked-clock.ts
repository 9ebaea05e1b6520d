import { existsSync, writeFileSync } from 'node:fs';

const LIBRARIES = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/faketime/libfaketimeMT.so.1',
];

/**
 * The wall clock of one process, set forward or back while it runs, by libfaketime (apt install faketime): the process
 * itself knows nothing of it. Monotonic time goes on as it does.
 */
export class FakedClock {
  readonly #file: string;
  readonly #library: string;

  private constructor(file: string, library: string) {
    this.#file = file;
    this.#library = library;
    this.set(0);
  }

  /** Undefined where the library is not installed. */
  static find(file: string): FakedClock | undefined {
    const library = LIBRARIES.find((path) => existsSync(path));
    return library === undefined ? undefined : new FakedClock(file, library);
  }

  get environment(): NodeJS.ProcessEnv {
    return {
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    };
  }

  /** Seconds ahead of the true time; seen within a second. */
  set(seconds: number): void {
    writeFileSync(this.#file, `${seconds < 0 ? '' : '+'}${seconds}s\n`);
  }
}
