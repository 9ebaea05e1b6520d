import type { Frontier, HostPlace } from '../../contracts/frontier.ts';
import type { WorkerPool } from './worker-pool.ts';

const LOOKUPS_AT_ONCE = 1000;

/** Names are found before a host is claimed, so that no claim waits for one. */
export class NameLookups {
  readonly #frontier: Pick<Frontier, 'unresolvedHosts' | 'setAddresses'>;
  readonly #workers: Pick<WorkerPool, 'lookUp'>;
  readonly #found: HostPlace[] = [];
  #underWay = 0;

  constructor(frontier: Pick<Frontier, 'unresolvedHosts' | 'setAddresses'>, workers: Pick<WorkerPool, 'lookUp'>) {
    this.#frontier = frontier;
    this.#workers = workers;
  }

  get isIdle(): boolean {
    return this.#underWay === 0 && this.#found.length === 0;
  }

  /** Addresses wait to be told to the frontier. */
  get hasFound(): boolean {
    return this.#found.length > 0;
  }

  found(places: readonly HostPlace[]): void {
    this.#underWay -= places.length;
    this.#found.push(...places);
  }

  async settle(): Promise<void> {
    if (this.#found.length > 0) await this.#frontier.setAddresses(this.#found.splice(0));
  }

  async start(): Promise<void> {
    const room = LOOKUPS_AT_ONCE - this.#underWay;
    if (room <= 0) return;
    const hosts = await this.#frontier.unresolvedHosts(room);
    if (hosts.length === 0) return;
    this.#underWay += hosts.length;
    this.#workers.lookUp(hosts);
  }
}
