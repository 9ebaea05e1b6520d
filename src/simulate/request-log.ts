import type { Located, WebModel } from './web-model.ts';

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
}

const FIRST_CAPACITY = 1024;

/**
 * All requests, in the order in which they ended, in columns of numbers: 40 bytes each where the target is spelled as the
 * web spells it. Only other spellings are kept as text.
 */
export class RequestLog {
  readonly web: WebModel;
  #length = 0;
  #times = new Float64Array(2 * FIRST_CAPACITY);
  #numbers = new Int32Array(6 * FIRST_CAPACITY);
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
    this.#numbers[6 * at] = request.host;
    this.#numbers[6 * at + 1] = page;
    this.#numbers[6 * at + 2] = request.bytes;
    this.#numbers[6 * at + 3] = request.connection;
    this.#numbers[6 * at + 4] = request.complete ? request.status : -request.status;
    this.#numbers[6 * at + 5] = (this.#number(request.method) << 16) | this.#number(request.agent);
  }

  at(index: number): LoggedRequest {
    const host = this.#numbers[6 * index];
    const page = this.#numbers[6 * index + 1];
    const target = this.#spellings.get(index) ?? this.web.target(page);
    const status = this.#numbers[6 * index + 4];
    const names = this.#numbers[6 * index + 5];
    return {
      arrive: this.#times[2 * index],
      done: this.#times[2 * index + 1],
      host,
      target,
      located: page >= 0 ? { kind: 'page', id: page } : this.web.locate(host, target),
      status: Math.abs(status),
      bytes: this.#numbers[6 * index + 2],
      method: this.#names[names >> 16],
      agent: this.#names[names & 0xffff],
      connection: this.#numbers[6 * index + 3],
      complete: status > 0,
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
