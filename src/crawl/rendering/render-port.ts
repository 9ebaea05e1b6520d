import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type {
  RenderedResource,
  RenderGain,
  RenderOrder,
  RenderResult,
  RenderSigns,
  RenderVerdict,
} from '../../contracts/content/renderer.ts';
import type { Exchange } from '../../contracts/fetcher.ts';
import { ReceivedHead } from '../../fetch/response-head.ts';
import type { RenderService } from './page-rendering.ts';

/** What a page thread asks of those who show pages. */
type ToService =
  | { readonly kind: 'render'; readonly id: number; readonly order: RenderOrder }
  | { readonly kind: 'judge'; readonly id: number; readonly signs: RenderSigns }
  | { readonly kind: 'learn'; readonly signs: RenderSigns; readonly gain: RenderGain }
  | { readonly kind: 'fail'; readonly signs: RenderSigns };

/** And what it is answered: heads of resources as data, for a class does not cross threads. */
interface FromService {
  readonly id: number;
  readonly answer: RenderVerdict | RenderResult;
  readonly resources: readonly PackedResource[];
}

interface PackedResource {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly httpVersion: string;
  readonly rawHeaders: readonly string[];
  readonly exchange: Exchange;
  readonly raw: Uint8Array;
  /** Absent where it is `raw`. */
  readonly body?: Uint8Array;
}

/** The service as a page thread sees it. */
export class RenderPort implements RenderService, Disposable {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, (answer: never) => void>();
  #last = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', ({ id, answer, resources }: FromService) => {
      const resolve = this.#waiting.get(id);
      this.#waiting.delete(id);
      const whole = resources.length === 0 ? answer : { ...answer, resources: resources.map(unpacked) };
      resolve?.(whole as never);
    });
  }

  render(order: RenderOrder): Promise<RenderResult> {
    return this.#ask((id) => ({ kind: 'render', id, order }));
  }

  judge(signs: RenderSigns): Promise<RenderVerdict> {
    return this.#ask((id) => ({ kind: 'judge', id, signs }));
  }

  learn(signs: RenderSigns, gain: RenderGain): void {
    this.#port.postMessage({ kind: 'learn', signs, gain } satisfies ToService);
  }

  fail(signs: RenderSigns): void {
    this.#port.postMessage({ kind: 'fail', signs } satisfies ToService);
  }

  [Symbol.dispose](): void {
    this.#port.close();
  }

  #ask<T>(message: (id: number) => ToService): Promise<T> {
    const id = ++this.#last;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#port.postMessage(message(id));
    });
  }
}

/** The end of a page thread, for one that is about to start. */
export function connectThread(service: RenderService): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (message: ToService) => {
    switch (message.kind) {
      case 'render':
        void service.render(message.order).then((answer) => send(port1, message.id, answer));
        return;
      case 'judge':
        void Promise.resolve(service.judge(message.signs)).then((answer) => send(port1, message.id, answer));
        return;
      case 'learn':
        service.learn(message.signs, message.gain);
        return;
      case 'fail':
        service.fail(message.signs);
    }
  });
  // A crawl that is over does not wait for threads that are gone.
  port1.unref();
  return port2;
}

function send(port: MessagePort, id: number, answer: RenderVerdict | RenderResult): void {
  const { resources = [], ...bare } = answer as { resources?: readonly RenderedResource[] };
  port.postMessage({ id, answer: bare as RenderResult, resources: resources.map(packed) } satisfies FromService);
}

function packed({ url, result }: RenderedResource): PackedResource {
  const { head, exchange, raw, body } = result;
  const { status, statusText, httpVersion, rawHeaders } = head;
  return { url, status, statusText, httpVersion, rawHeaders, exchange, raw, ...(raw === body ? {} : { body }) };
}

function unpacked({ url, status, statusText, httpVersion, rawHeaders, exchange, raw, body = raw }: PackedResource) {
  const head = new ReceivedHead(httpVersion, status, statusText, rawHeaders);
  return { url, result: { kind: 'response', head, exchange, raw, body } } satisfies RenderedResource;
}
