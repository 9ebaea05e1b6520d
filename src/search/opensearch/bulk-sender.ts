import { OrbweaverError } from '../../base/errors.ts';
import { unexpected } from './open-remote-index.ts';
import { type OpenSearchClient, OpenSearchTrouble } from './opensearch-client.ts';
import type { Patience } from './patience.ts';
import { type BulkOperation, bulkLines } from './sent-document.ts';

export interface BulkSenderParts {
  readonly client: OpenSearchClient;
  readonly patience: Patience;
  readonly mostBytes?: number;
}

/** What became of what was sent. */
export interface BulkCounts {
  readonly indexed: number;
  readonly deleted: number;
  /** The index had something newer already. */
  readonly superseded: number;
}

/** A document that the server will not have, whatever is done. */
export interface RejectedDocument {
  readonly url: string;
  readonly why: string;
}

const MOST_BYTES = 5 * 2 ** 20;
const MOST_OPERATIONS = 1000;
/** Of an answer only this is wanted. */
const FILTER = 'errors,items.*._id,items.*.status,items.*.error.type,items.*.error.reason';

type ItemFate = 'done' | 'superseded' | 'again' | 'index-gone' | { readonly rejected: string };

interface WaitingOperation {
  readonly operation: BulkOperation;
  readonly lines: string;
  readonly bytes: number;
}

interface BulkItem {
  readonly _id?: unknown;
  readonly status?: unknown;
  readonly error?: { readonly type?: unknown; readonly reason?: unknown };
}

/**
 * Sends operations in bulks until each is done: those that fail alone are sent again alone, bulks that are too large are halved, and
 * a server that is overloaded or away is given time.
 */
export class BulkSender {
  readonly #parts: BulkSenderParts;
  /** By id: of several operations on one document the last counts. */
  readonly #waiting = new Map<string, WaitingOperation>();
  #bytes = 0;
  #mostBytes: number;
  #counts = { indexed: 0, deleted: 0, superseded: 0 };

  constructor(parts: BulkSenderParts) {
    this.#parts = parts;
    this.#mostBytes = parts.mostBytes ?? MOST_BYTES;
  }

  get counts(): BulkCounts {
    return { ...this.#counts };
  }

  get isFull(): boolean {
    return this.#bytes >= this.#mostBytes || this.#waiting.size >= MOST_OPERATIONS;
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  add(operation: BulkOperation): void {
    const before = this.#waiting.get(operation.id);
    const lines = bulkLines(operation);
    const bytes = Buffer.byteLength(lines);
    this.#bytes += bytes - (before?.bytes ?? 0);
    this.#waiting.set(operation.id, { operation, lines, bytes });
  }

  /** Returns when all that was added is done, but for what the server will never have. Throws where it is given up; then nothing is known of the rest. */
  async flush(): Promise<readonly RejectedDocument[]> {
    const rejected: RejectedDocument[] = [];
    while (this.#waiting.size > 0) {
      const bulk = this.#nextBulk();
      let fates: readonly ItemFate[] | 'too-large';
      try {
        fates = await this.#send(
          bulk.map(({ lines }) => lines).join(''),
          bulk.map(({ operation }) => operation.id),
        );
      } catch (error) {
        if (!(error instanceof OpenSearchTrouble)) throw error;
        await this.#parts.patience.failed(error);
        continue;
      }
      if (fates === 'too-large') {
        const [{ operation, bytes }] = bulk;
        if (bulk.length > 1) {
          // Remembered: the next bulk is not too large again.
          this.#mostBytes = Math.floor(sum(bulk) / 2);
          continue;
        }
        rejected.push({ url: operation.url, why: `the server takes no request of ${bytes} bytes (HTTP 413)` });
        this.#remove(operation.id);
        continue;
      }
      await this.#settle(bulk, fates, rejected);
    }
    return rejected;
  }

  async #settle(
    bulk: readonly WaitingOperation[],
    fates: readonly ItemFate[],
    rejected: RejectedDocument[],
  ): Promise<void> {
    let isAgain = false;
    let isProgress = false;
    for (const [at, { operation }] of bulk.entries()) {
      const fate = fates[at];
      if (fate === 'again') {
        isAgain = true;
        continue;
      }
      if (fate === 'index-gone')
        throw new OrbweaverError('SINK_FAILED', `The index of ${this.#parts.client.name} is gone.`, {
          remedy: 'The next run makes it again, and sends everything: orbweaver opensearch.',
        });
      isProgress = true;
      this.#remove(operation.id);
      if (typeof fate === 'object') rejected.push({ url: operation.url, why: fate.rejected });
      else if (fate === 'superseded') this.#counts.superseded++;
      else if (operation.kind === 'index') this.#counts.indexed++;
      else this.#counts.deleted++;
    }
    if (isProgress) this.#parts.patience.succeeded();
    if (isAgain) await this.#parts.patience.failed(new OpenSearchTrouble(`${this.#parts.client.name} is overloaded`));
  }

  #nextBulk(): readonly WaitingOperation[] {
    const bulk: WaitingOperation[] = [];
    let bytes = 0;
    for (const one of this.#waiting.values()) {
      if (bulk.length > 0 && (bytes + one.bytes > this.#mostBytes || bulk.length >= MOST_OPERATIONS)) break;
      bulk.push(one);
      bytes += one.bytes;
    }
    return bulk;
  }

  #remove(id: string): void {
    this.#bytes -= this.#waiting.get(id)?.bytes ?? 0;
    this.#waiting.delete(id);
  }

  async #send(body: string, ids: readonly string[]): Promise<readonly ItemFate[] | 'too-large'> {
    const { client } = this.#parts;
    const answer = await client.ask('POST', `/_bulk?filter_path=${FILTER}`, body);
    if (answer.status === 413) return 'too-large';
    if (answer.status === 404) return ids.map(() => 'index-gone');
    if (answer.status !== 200) throw unexpected(client, answer);
    const items = (answer.json as { items?: readonly Record<string, BulkItem>[] } | undefined)?.items;
    const results = items?.map((item) => Object.values(item ?? {})[0]);
    // Half an answer says nothing of the rest: what is sent twice is taken once.
    if (results?.length !== ids.length || results.some((item, at) => item?._id !== ids[at]))
      throw new OpenSearchTrouble(`${client.name} gives no answer of the bulk API`);
    return results.map(fateOf);
  }
}

function sum(bulk: readonly { readonly bytes: number }[]): number {
  return bulk.reduce((all, { bytes }) => all + bytes, 0);
}

function fateOf(item: BulkItem): ItemFate {
  const status = Number(item.status);
  const type = String(item.error?.type ?? '');
  if (status >= 200 && status < 300) return 'done';
  if (status === 409) return 'superseded';
  if (type === 'index_not_found_exception') return 'index-gone';
  // A deletion of what is not there.
  if (status === 404) return 'done';
  if (status === 429 || status >= 500) return 'again';
  return { rejected: `HTTP ${status} ${type}: ${String(item.error?.reason ?? '')}`.slice(0, 300) };
}
