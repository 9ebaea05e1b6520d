import { Worker } from 'node:worker_threads';
import { OrbweaverError } from '../../base/errors.ts';
import type { HostDirectory, HostListPage, HostQuery } from '../../contracts/state/host-directory.ts';
import type { DirectoryAnswer, DirectoryRequest } from './host-directory-thread.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(
  import.meta.url.endsWith('.ts') ? './host-directory-thread.ts' : './host-directory-thread.js',
  import.meta.url,
);

interface Waiting {
  readonly resolve: (page: HostListPage) => void;
  readonly reject: (error: unknown) => void;
}

/** The directory in a thread of its own, started with the first question: to sort 100,000 hosts takes longer than a server may stand still. */
export class ThreadedHostDirectory implements HostDirectory {
  readonly #folder: string;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #last = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  list(query: HostQuery): Promise<HostListPage> {
    const thread = this.#started();
    // Whoever waits for an answer keeps the process.
    thread.ref();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      thread.postMessage({ id, query } satisfies DirectoryRequest);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined) return;
    thread.ref();
    const ended = new Promise((resolve) => thread.once('exit', resolve));
    thread.postMessage('close');
    await ended;
  }

  #started(): Worker {
    if (this.#thread !== undefined) return this.#thread;
    const thread = new Worker(THREAD, { workerData: { folder: this.#folder } });
    // A server that ends need not wait for it.
    thread.unref();
    thread.on('message', (answer: DirectoryAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (this.#waiting.size === 0) thread.unref();
      if ('page' in answer) waiting?.resolve(answer.page);
      else waiting?.reject(new OrbweaverError('INTERNAL', `Hosts cannot be listed: ${answer.error}`));
    });
    thread.once('error', (error) => this.#end(error));
    thread.once('exit', () => this.#end(new OrbweaverError('INTERNAL', 'The thread that lists hosts has ended.')));
    this.#thread = thread;
    return thread;
  }

  /** The next question starts another one. */
  #end(error: unknown): void {
    this.#thread = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
