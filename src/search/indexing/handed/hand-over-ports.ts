import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Settings } from '../../../base/settings/schema.ts';
import type { HandOver, HandOverEnd } from '../../../contracts/handed-visit.ts';

/**
 * A port from each page thread to the thread of the index, whichever of them starts first. Not a broadcast channel, though it would need
 * nobody in between: with its first message the engine loads a whole HTTP client into the thread that hears it, 9 MB, for the class of an event.
 */
export class HandOverPorts implements HandOver {
  readonly waiting = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  /** For who is not there yet. */
  readonly #ports: MessagePort[] = [];
  #receiver: ((port: MessagePort) => void) | undefined;

  constructor() {
    Atomics.store(new Int32Array(this.waiting), 0, -1);
  }

  connect(): HandOverEnd {
    const { port1, port2 } = new MessageChannel();
    if (this.#receiver === undefined) this.#ports.push(port2);
    else this.#receiver(port2);
    return { port: port1, waiting: this.waiting };
  }

  /** Tells of the other ends, those that are there and those that come. */
  receive(receiver: (port: MessagePort) => void): void {
    this.#receiver = receiver;
    for (const port of this.#ports.splice(0)) receiver(port);
  }
}

/** How pages come from the crawl to its index at once; undefined where they lie in the archive until somebody asks. */
export function openHandOver({ index, text, continuous, updates }: Settings): HandOverPorts | undefined {
  const isRead = !index || !text || (continuous && updates === 'shadow');
  return isRead ? undefined : new HandOverPorts();
}
