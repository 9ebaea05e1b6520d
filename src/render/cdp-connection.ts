import type { Readable, Writable } from 'node:stream';

/** A notice of the browser. */
export interface CdpEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export type CdpListener = (event: CdpEvent) => void;

/** A command that the browser refused, or did not answer. */
export class CdpError extends Error {
  override readonly name = 'CdpError';
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly sessionId?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly sessionId: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** The browser itself, as a session. */
const BROWSER = '';
/** No command of ours takes longer but where the browser, or a page of it, hangs. */
const PATIENCE_MS = 30_000;
/** A message that is longer is no answer to anything that was asked. */
const LONGEST_MESSAGE = 256 * 2 ** 20;

/**
 * The Chrome DevTools Protocol over two pipes: commands with answers, and notices, each of the browser or of one session. A pipe and no
 * port: nobody else on the machine can drive the browser, and it ends when this process does, however that ends.
 */
export class CdpConnection {
  readonly #write: Writable;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Set<CdpListener>>();
  #pieces: Buffer[] = [];
  #length = 0;
  #last = 0;
  #ended: string | undefined;

  constructor(write: Writable, read: Readable) {
    this.#write = write;
    read.on('data', (chunk: Buffer) => this.#take(chunk));
    // A pipe that breaks is a browser that is gone: who launched it is told by its exit.
    for (const stream of [read, write]) stream.on('error', () => this.end('its pipe broke'));
    read.on('close', () => this.end('it closed its pipe'));
  }

  send<T = object>(method: string, params: object = {}, sessionId = BROWSER, patienceMs = PATIENCE_MS): Promise<T> {
    if (this.#ended !== undefined) return Promise.reject(new CdpError(`The browser is gone: ${this.#ended}.`));
    const id = ++this.#last;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const late = setTimeout(() => {
      this.#waiting.delete(id);
      reject(new CdpError(`${method} was not answered within ${patienceMs} ms.`));
    }, patienceMs);
    this.#waiting.set(id, {
      sessionId,
      resolve: (result) => {
        clearTimeout(late);
        resolve(result as T);
      },
      reject: (error) => {
        clearTimeout(late);
        reject(error);
      },
    });
    this.#write.write(`${JSON.stringify({ id, method, params, ...(sessionId === BROWSER ? {} : { sessionId }) })}\0`);
    return promise;
  }

  /** Notices of the browser itself, or of one session. */
  listen(listener: CdpListener, sessionId = BROWSER): Disposable {
    const listeners = this.#listeners.get(sessionId) ?? new Set();
    this.#listeners.set(sessionId, listeners.add(listener));
    return {
      [Symbol.dispose]: () => {
        listeners.delete(listener);
        if (listeners.size === 0) this.#listeners.delete(sessionId);
      },
    };
  }

  /** The session has ended: nothing more is heard of it. */
  endSession(sessionId: string, why: string): void {
    for (const [id, waiting] of this.#waiting)
      if (waiting.sessionId === sessionId) {
        this.#waiting.delete(id);
        waiting.reject(new CdpError(why));
      }
  }

  end(why: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    for (const { reject } of this.#waiting.values()) reject(new CdpError(`The browser is gone: ${why}.`));
    this.#waiting.clear();
    this.#pieces = [];
    this.#write.destroy();
  }

  /** Messages end with a zero byte. */
  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, from)) {
      this.#pieces.push(chunk.subarray(from, end));
      const text = Buffer.concat(this.#pieces).toString();
      this.#pieces = [];
      this.#length = 0;
      this.#heard(JSON.parse(text) as Message);
      from = end + 1;
    }
    if (from === chunk.length) return;
    this.#pieces.push(chunk.subarray(from));
    this.#length += chunk.length - from;
    if (this.#length > LONGEST_MESSAGE) this.end('it sent a message without end');
  }

  #heard({ id, method = '', params = {}, sessionId = BROWSER, result, error }: Message): void {
    if (id === undefined) {
      for (const listener of [...(this.#listeners.get(sessionId) ?? [])]) listener({ method, params });
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new CdpError(error.message));
  }
}
