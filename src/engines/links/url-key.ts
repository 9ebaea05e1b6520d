import { fingerprint } from '../../base/fingerprint.ts';

/** The fingerprint of a URL in the forms in which it is needed: as halves to sort by, and as SQLite's signed integer. */
export class UrlKey {
  readonly #unsigned = new BigUint64Array(1);
  readonly #signed = new BigInt64Array(this.#unsigned.buffer);
  readonly #halves = new Uint32Array(this.#unsigned.buffer);

  set(url: string): this {
    this.#unsigned[0] = fingerprint(url);
    return this;
  }

  get hi(): number {
    return this.#halves[1];
  }

  get lo(): number {
    return this.#halves[0];
  }

  get signed(): bigint {
    return this.#signed[0];
  }
}

/** Host of a canonical URL, with its port where it has one. */
export function hostOf(url: string): string {
  const start = url.indexOf('://') + 3;
  const end = url.indexOf('/', start);
  return end < 0 ? url.slice(start) : url.slice(start, end);
}

/** The same question without a new string. */
export function isOnHost(url: string, host: string): boolean {
  const start = url.indexOf('://') + 3;
  const after = start + host.length;
  return url.startsWith(host, start) && (after === url.length || url[after] === '/' || url[after] === '?');
}
