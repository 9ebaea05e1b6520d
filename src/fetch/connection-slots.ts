import type { Agent } from 'undici';
import type { Connector } from './connect/connector.ts';

/** A client with one connection to each origin at most, and what makes its connections. */
export interface ConnectionSlot {
  readonly agent: Agent;
  readonly connector: Connector;
}

/**
 * Several requests to one origin at once, each over a connection of its own: a slot for each. Within a slot an origin has one
 * connection, so that an exchange knows over which one it goes. Most crawls need but the first slot; others are opened when needed.
 */
export class ConnectionSlots {
  readonly #open: () => ConnectionSlot;
  readonly #max: number;
  readonly #slots: ConnectionSlot[];
  /** Origins that are asked over each slot. */
  readonly #busy: Set<string>[] = [new Set()];

  constructor(open: () => ConnectionSlot, max: number) {
    this.#open = open;
    this.#max = max;
    this.#slots = [open()];
  }

  /** The first slot over which the origin is not asked; where there is none the request waits for the connection of the first. */
  take(origin: string): ConnectionSlot & { readonly free: () => void } {
    const idle = this.#max === 1 ? 0 : this.#busy.findIndex((origins) => !origins.has(origin));
    const at = idle < 0 && this.#slots.length < this.#max ? this.#add() : Math.max(0, idle);
    const origins = this.#busy[at];
    if (this.#max === 1 || origins.has(origin)) return { ...this.#slots[at], free: () => {} };
    origins.add(origin);
    return { ...this.#slots[at], free: () => origins.delete(origin) };
  }

  async destroy(): Promise<void> {
    await Promise.all(this.#slots.map(({ agent }) => agent.destroy()));
  }

  #add(): number {
    this.#busy.push(new Set());
    return this.#slots.push(this.#open()) - 1;
  }
}
