import { Worker } from 'node:worker_threads';
import { OrbweaverError } from '../../base/errors.ts';
import type { GraphAnswer, GraphRequest } from './graph-thread.ts';
import type { GraphScope, GroupedGraph } from './group-graph.ts';

/** `.ts` in a checkout, `.js` in a package. */
const THREAD = new URL(import.meta.url.endsWith('.ts') ? './graph-thread.ts' : './graph-thread.js', import.meta.url);

interface Waiting {
  readonly resolve: (graph: GroupedGraph | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** Where the picture of the links comes from; undefined where none were gathered. */
export interface GraphSource {
  grouped(scope: GraphScope): Promise<GroupedGraph | undefined>;
}

/** The links of a crawl folder, grouped in a thread of its own: there may be millions. */
export class FolderGraph implements GraphSource, AsyncDisposable {
  readonly #folder: string;
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #last = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  grouped(scope: GraphScope): Promise<GroupedGraph | undefined> {
    const thread = this.#started();
    // Whoever waits for an answer keeps the process.
    thread.ref();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      thread.postMessage({ id, scope } satisfies GraphRequest);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.terminate();
  }

  #started(): Worker {
    if (this.#thread !== undefined) return this.#thread;
    const thread = new Worker(THREAD, { workerData: { folder: this.#folder } });
    // A server that ends need not wait for it.
    thread.unref();
    thread.on('message', (answer: GraphAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (this.#waiting.size === 0) thread.unref();
      if ('error' in answer) waiting?.reject(new OrbweaverError('INTERNAL', `No graph: ${answer.error}`));
      else waiting?.resolve(answer.graph);
    });
    thread.once('error', (error) => this.#end(error));
    thread.once('exit', () => this.#end(new OrbweaverError('INTERNAL', 'The thread of the graph has ended.')));
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
