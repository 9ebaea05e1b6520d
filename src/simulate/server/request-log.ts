import type { Located, WebModel } from '../model/web-model.ts';

/** One request as the server saw it. Times in ms since the epoch, with fractions. */
export interface LoggedRequest {
  readonly arrive: number;
  /** When the last byte was handed to the system, or the connection broke. */
  readonly done: number;
  readonly host: number;
  /** As sent. */
  readonly target: string;
  readonly located: Located;
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
  readonly method: string;
  readonly agent: string;
  /** Number of the connection it came on. */
  readonly connection: number;
  /** Sent to the end. */
  readonly complete: boolean;
  /** 'http/1.1' or 'h2'. */
  readonly protocol: string;
  /** Whether it came with If-None-Match or If-Modified-Since. */
  readonly conditional: boolean;
}

const FIRST_CAPACITY = 1024;
/** Host, page, bytes, connection, status, names, flags. */
const COLUMNS = 7;

/** All requests in the order in which they ended, in columns: 44 bytes each; only unusual spellings are kept as text. */
export class RequestLog {
  readonly web: WebModel;
  #length = 0;
  #times = new Float64Array(2 * FIRST_CAPACITY);
  #numbers = new Int32Array(COLUMNS * FIRST_CAPACITY);
  readonly #spellings = new Map<number, string>();
  readonly #names: string[] = [];
  readonly #nameNumbers = new Map<string, number>();

  constructor(web: WebModel) {
    this.web = web;
  }

  get length(): number {
    return this.#length;
  }

  add(request: LoggedRequest): void {
    const at = this.#length++;
    if (2 * at >= this.#times.length) this.#grow();
    this.#times[2 * at] = request.arrive;
    this.#times[2 * at + 1] = request.done;
    const page = request.located.kind === 'page' ? request.located.id : -1;
    if (page < 0 || this.web.target(page) !== request.target) this.#spellings.set(at, request.target);
    this.#numbers[COLUMNS * at] = request.host;
    this.#numbers[COLUMNS * at + 1] = page;
    this.#numbers[COLUMNS * at + 2] = request.bytes;
    this.#numbers[COLUMNS * at + 3] = request.connection;
    this.#numbers[COLUMNS * at + 4] = request.complete ? request.status : -request.status;
    this.#numbers[COLUMNS * at + 5] = (this.#number(request.method) << 16) | this.#number(request.agent);
    this.#numbers[COLUMNS * at + 6] = (this.#number(request.protocol) << 1) | (request.conditional ? 1 : 0);
  }

  at(index: number): LoggedRequest {
    const host = this.#numbers[COLUMNS * index];
    const page = this.#numbers[COLUMNS * index + 1];
    const target = this.#spellings.get(index) ?? this.web.target(page);
    const status = this.#numbers[COLUMNS * index + 4];
    const names = this.#numbers[COLUMNS * index + 5];
    const flags = this.#numbers[COLUMNS * index + 6];
    return {
      arrive: this.#times[2 * index],
      done: this.#times[2 * index + 1],
      host,
      target,
      located: page >= 0 ? { kind: 'page', id: page } : this.web.locate(host, target),
      status: Math.abs(status),
      bytes: this.#numbers[COLUMNS * index + 2],
      method: this.#names[names >> 16],
      agent: this.#names[names & 0xffff],
      connection: this.#numbers[COLUMNS * index + 3],
      complete: status > 0,
      protocol: this.#names[flags >> 1],
      conditional: (flags & 1) === 1,
    };
  }

  *[Symbol.iterator](): Generator<LoggedRequest> {
    for (let index = 0; index < this.#length; index++) yield this.at(index);
  }

  #number(name: string): number {
    let number = this.#nameNumbers.get(name);
    if (number === undefined) {
      number = this.#names.push(name) - 1;
      this.#nameNumbers.set(name, number);
    }
    return number;
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    times.set(this.#times);
    this.#times = times;
    const numbers = new Int32Array(this.#numbers.length * 2);
    numbers.set(this.#numbers);
    this.#numbers = numbers;
  }
}
