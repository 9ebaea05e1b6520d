import { randomBytes } from 'node:crypto';
import type { CrawlEvents } from '../../contracts/events.ts';

/** A span as OTLP has it in JSON: ids in hex, 64-bit numbers as strings. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1: internal, 3: client. */
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  /** 2: it failed. */
  readonly status?: { readonly code: 2; readonly message: string };
}

export interface OtlpAttribute {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
}

const LONGEST_URL = 2048;

/** The spans of a visit whose stages were timed: the visit itself first, then claim, stages and settle in their order. */
export function visitSpans(event: CrawlEvents['settled']): OtlpSpan[] {
  const { claim, outcome, stages = [], at } = event;
  const traceId = randomBytes(16).toString('hex');
  const root = newId();
  // The clock of the crawl counts whole ms, the stages fractions of them: nothing may end before it begins.
  const begin = Math.min(claim.claimedAt, stages[0]?.from ?? claim.claimedAt);
  const worked = stages.at(-1)?.to ?? begin;
  const end = Math.max(at, worked);
  const child = (name: string, from: number, to: number): OtlpSpan => ({
    ...{ traceId, spanId: newId(), parentSpanId: root, name, kind: name === 'fetch' ? 3 : 1 },
    ...{ startTimeUnixNano: nanos(from), endTimeUnixNano: nanos(Math.max(from, to)), attributes: [] },
  });
  return [
    {
      ...{
        traceId,
        spanId: root,
        name: 'visit',
        kind: 1,
        startTimeUnixNano: nanos(begin),
        endTimeUnixNano: nanos(end),
      },
      attributes: attributesOf(event),
      ...(outcome.kind === 'failed' ? { status: { code: 2, message: outcome.code } } : {}),
    },
    child('claim', begin, stages[0]?.from ?? begin),
    ...stages.map(({ stage, from, to }) => child(stage, from, to)),
    child('settle', worked, end),
  ];
}

function attributesOf({ claim, outcome, status, bytes }: CrawlEvents['settled']): OtlpAttribute[] {
  const { task } = claim;
  return [
    text('url.full', task.url.slice(0, LONGEST_URL)),
    text('server.address', task.host),
    text('orbweaver.outcome', outcome.kind),
    text('orbweaver.purpose', task.purpose),
    whole('orbweaver.depth', task.depth),
    whole('orbweaver.tries', claim.tries),
    whole('http.response.body.size', bytes),
    ...(status === undefined ? [] : [whole('http.response.status_code', status)]),
    ...(outcome.kind === 'failed' ? [text('error.type', outcome.code)] : []),
    ...(outcome.kind === 'refused' ? [text('orbweaver.refused_by', outcome.by)] : []),
  ];
}

function text(key: string, value: string): OtlpAttribute {
  return { key, value: { stringValue: value.toWellFormed() } };
}

function whole(key: string, value: number): OtlpAttribute {
  return { key, value: { intValue: String(Math.round(value)) } };
}

function newId(): string {
  return randomBytes(8).toString('hex');
}

function nanos(ms: number): string {
  return `${BigInt(Math.round(ms * 1000))}000`;
}
