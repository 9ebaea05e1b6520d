import { connect, type Socket } from 'node:net';

const ANSWER_MS = 60_000;
const HEAD_END = '\r\n\r\n';

/**
 * A connection that is kept from question to question, one at a time. Reads of an answer only what tells where it ends: a whole HTTP
 * client takes about as long for a page as to lay it out, on the cores that the server is measured on.
 */
export class KeptConnection {
  readonly #url: URL;
  #socket: Socket | undefined;
  #head = '';
  #status = '';
  /** Bytes of the body that are still to come; negative while the head is read. */
  #left = -1;
  #told: ((outcome: string) => void) | undefined;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** The status of the answer once all of it has come, or the code of what broke the connection. */
  ask(path: string): Promise<string> {
    this.#socket ??= this.#open();
    const socket = this.#socket;
    return new Promise((resolve) => {
      this.#told = resolve;
      this.#head = '';
      this.#left = -1;
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${this.#url.host}\r\nAccept: text/html\r\n\r\n`);
    });
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    const socket = connect(Number(this.#url.port), this.#url.hostname);
    socket.setNoDelay(true);
    socket.setTimeout(ANSWER_MS, () => this.#fail('no answer in time'));
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => this.#fail(error.code ?? error.message));
    socket.on('close', () => this.#fail('closed'));
    return socket;
  }

  #take(chunk: Buffer): void {
    if (this.#left >= 0) this.#left -= chunk.length;
    else {
      this.#head += chunk.toString('latin1');
      const end = this.#head.indexOf(HEAD_END);
      if (end < 0) return;
      const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head.slice(0, end))?.[1];
      if (length === undefined) {
        this.#fail('an answer of unknown length');
        return;
      }
      this.#status = this.#head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
      this.#left = Number(length) - (this.#head.length - end - HEAD_END.length);
    }
    if (this.#left === 0) this.#tell(this.#status);
  }

  #fail(why: string): void {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#tell(why);
  }

  #tell(outcome: string): void {
    const told = this.#told;
    this.#told = undefined;
    told?.(outcome);
  }
}
