import { type Clock, systemClock } from '../../base/clock.ts';
import type { MetricFamily, MetricSource } from '../metrics/metric.ts';
import { type PostJson, postJson } from './post-json.ts';
import type { OtlpSpan } from './visit-spans.ts';

export interface SpanExporterOptions {
  /** Of the receiver: …/v1/traces. */
  readonly url: string;
  readonly version: string;
  /** `Name: value`. */
  readonly headers?: readonly string[];
  readonly clock?: Clock;
  readonly post?: PostJson;
}

/** Spans that wait, a few MB; the next ones are dropped. */
const MOST_WAITING = 4096;
const BATCH = 512;
const EVERY_MS = 2000;
const POST_MS = 10_000;
const MOST_TRIES = 5;
const FIRST_REST_MS = 1000;
/** A crawl that has ended waits no longer for a receiver. */
const CLOSE_MS = 3000;
/** The receiver asks to be asked again; whatever else it refuses it would refuse again. */
const AGAIN = new Set([429, 502, 503, 504]);

/**
 * Sends spans to an OTLP receiver. Nobody waits for it: spans wait in a queue with a bound, and those that find it full, or that the
 * receiver does not take, are dropped and counted.
 */
export class SpanExporter implements MetricSource, AsyncDisposable {
  readonly #options: SpanExporterOptions;
  readonly #clock: Clock;
  readonly #post: PostJson;
  readonly #waiting: OtlpSpan[] = [];
  readonly #ending = new AbortController();
  readonly #wakes: { call: () => void } = { call: () => {} };
  readonly #sending: Promise<void>;
  #closing = false;
  #exported = 0;
  #dropped = 0;

  constructor(options: SpanExporterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#post = options.post ?? postJson;
    this.#sending = this.#run();
  }

  /** All spans of one visit, or none of them. */
  add(spans: readonly OtlpSpan[]): void {
    if (this.#closing || this.#waiting.length + spans.length > MOST_WAITING) this.#dropped += spans.length;
    else if (this.#waiting.push(...spans) >= BATCH) this.#wakes.call();
  }

  families(): MetricFamily[] {
    const samples = [
      { labels: { result: 'exported' }, value: this.#exported },
      { labels: { result: 'dropped' }, value: this.#dropped },
    ];
    return [{ name: 'orbweaver_trace_spans_total', samples }];
  }

  /** Sends what waits, for a short while. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    this.#wakes.call();
    const cut = setTimeout(() => this.#ending.abort(), CLOSE_MS);
    await this.#sending;
    clearTimeout(cut);
    this.#dropped += this.#waiting.splice(0).length;
  }

  async #run(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      if (this.#waiting.length === 0 && this.#closing) return;
      if (this.#waiting.length < BATCH && !this.#closing) await this.#rest();
      const batch = this.#waiting.splice(0, BATCH);
      if (batch.length > 0) await this.#send(batch);
    }
  }

  async #rest(): Promise<void> {
    const called = new AbortController();
    this.#wakes.call = () => called.abort();
    await this.#clock.sleep(EVERY_MS, called.signal);
    this.#wakes.call = () => {};
  }

  async #send(batch: readonly OtlpSpan[]): Promise<void> {
    const body = JSON.stringify(this.#request(batch));
    const { signal } = this.#ending;
    for (let tries = 1; ; tries++) {
      const status = await this.#post(this.#options.url, {
        ...{ headers: headersOf(this.#options.headers ?? []), body, timeoutMs: POST_MS, signal },
      });
      if (status !== undefined && status >= 200 && status < 300) {
        this.#exported += batch.length;
        return;
      }
      const isWorthAnother = status === undefined || AGAIN.has(status);
      if (!isWorthAnother || tries >= MOST_TRIES || this.#closing || signal.aborted) {
        this.#dropped += batch.length;
        return;
      }
      const called = new AbortController();
      this.#wakes.call = () => {
        if (this.#closing) called.abort();
      };
      await this.#clock.sleep(FIRST_REST_MS * 2 ** (tries - 1), called.signal);
      this.#wakes.call = () => {};
    }
  }

  #request(spans: readonly OtlpSpan[]): object {
    const { version } = this.#options;
    const attributes = [
      { key: 'service.name', value: { stringValue: 'orbweaver' } },
      { key: 'service.version', value: { stringValue: version } },
      { key: 'process.pid', value: { intValue: String(process.pid) } },
    ];
    return {
      resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope: { name: 'orbweaver', version }, spans }] }],
    };
  }
}

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
}
