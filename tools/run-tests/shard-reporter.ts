import { inspect } from 'node:util';
import type { ShardEvent, ShardEventData, ShardMessage } from './shard-messages.ts';

interface RunnerEvent {
  readonly type: string;
  readonly data: Omit<ShardEventData, 'details'> & {
    readonly details?: { readonly duration_ms: number; readonly type?: string; readonly error?: unknown };
  };
}

const SENT: ReadonlySet<string> = new Set(['test:complete', 'test:start', 'test:pass', 'test:fail', 'test:diagnostic']);

/** Sends what happens in this process to the one that started it. */
export default async function* shardReporter(source: AsyncIterable<RunnerEvent>): AsyncGenerator<string> {
  for await (const event of source) {
    if (SENT.has(event.type)) process.send?.({ kind: 'event', event: sendable(event) } satisfies ShardMessage);
    yield '';
  }
}

function sendable({ type, data }: RunnerEvent): ShardEvent {
  const { name, nesting, file, line, column, message, level, skip, todo, details } = data;
  const plain = { name, nesting, file, line, column, message, level, skip, todo };
  if (details === undefined) return { type, data: plain };
  const { duration_ms, type: kind, error } = details;
  const told = { duration_ms, type: kind, ...(error === undefined ? {} : { error: errorText(error) }) };
  return { type, data: { ...plain, details: told } };
}

function errorText(error: unknown): { failureType: string; text: string } {
  const { failureType = '', cause = error } = error as { failureType?: string; cause?: unknown };
  return { failureType, text: typeof cause === 'string' ? cause : inspect(cause) };
}
