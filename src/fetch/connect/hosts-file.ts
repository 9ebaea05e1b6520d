import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import type { Clock } from '../../base/clock.ts';

export type HostsTable = ReadonlyMap<string, readonly string[]>;

/** Names and addresses of a hosts file. Lines that are none are passed over. */
export function parseHosts(text: string): HostsTable {
  const table = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase().replace(/\.$/, '');
      const addresses = table.get(key);
      if (addresses === undefined) table.set(key, [address]);
      else if (!addresses.includes(address)) addresses.push(address);
    }
  }
  return table;
}

/** The machine's hosts file, read again when it has changed; looked at no more often than every `recheckMs`. */
export class HostsFile {
  readonly #path: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #recheckMs: number;
  #table: HostsTable = new Map();
  #version = '';
  #nextCheck = Number.NEGATIVE_INFINITY;
  #check: Promise<void> | undefined;

  constructor(path: string, clock: Pick<Clock, 'now'>, recheckMs = 5000) {
    this.#path = path;
    this.#clock = clock;
    this.#recheckMs = recheckMs;
  }

  async lookup(hostname: string): Promise<readonly string[] | undefined> {
    if (this.#clock.now() >= this.#nextCheck) {
      this.#check ??= this.#refresh().finally(() => {
        this.#check = undefined;
      });
    }
    if (this.#check !== undefined) await this.#check;
    return this.#table.get(hostname);
  }

  async #refresh(): Promise<void> {
    this.#nextCheck = this.#clock.now() + this.#recheckMs;
    try {
      const { mtimeMs, size } = await stat(this.#path);
      const version = `${mtimeMs} ${size}`;
      if (version === this.#version) return;
      this.#table = parseHosts(await readFile(this.#path, 'utf8'));
      this.#version = version;
    } catch {
      // A machine without a hosts file, or without the right to read it, has no entries in it.
      this.#table = new Map();
      this.#version = '';
    }
  }
}
