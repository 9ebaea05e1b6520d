import type { IncomingHttpHeaders } from 'node:http';
import { readTime } from '../../base/dates/read-time.ts';
import type { Visitor } from './access/access.ts';

/** A request, after it was found to be meant for us. */
export interface WebRequest {
  readonly path: string;
  readonly parameters: URLSearchParams;
  /** Where this server is for the reader: http://host:port. */
  readonly origin: string;
  readonly headers: IncomingHttpHeaders;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
  /** Who asks, and what stands in forms for them. */
  readonly visitor?: Visitor;
  /** Of whoever asks, or of the proxy between. */
  readonly address?: string;
  /** What a form has sent; only of routes that take one. */
  readonly form?: URLSearchParams;
}

/** What was asked makes no sense; becomes a 400 that says why. */
export class BadRequest extends Error {}

/** Longer queries are no queries. */
const MAX_QUERY = 1_000;
const MAX_URL = 8_192;
const MAX_PAGE = 1_000;

export function queryOf({ parameters }: WebRequest): string {
  const query = (parameters.get('q') ?? '').trim();
  if (query.length > MAX_QUERY)
    throw new BadRequest(`A query has at most ${MAX_QUERY.toLocaleString('en')} characters; this one is longer.`);
  return query;
}

export function numberOf({ parameters }: WebRequest, name: string, least: number, most: number, usual: number): number {
  const text = parameters.get(name);
  if (text === null || text === '') return usual;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new BadRequest(`"${name}" takes a whole number from ${least} to ${most}.`);
}

export function pageOf(ask: WebRequest): number {
  return numberOf(ask, 'page', 1, MAX_PAGE, 1);
}

export function switchOf({ parameters }: WebRequest, name: string): boolean {
  return parameters.get(name) === '1';
}

/** An address of a document; only http and https are ever looked up or led to. */
export function urlOf({ parameters }: WebRequest): string {
  const text = (parameters.get('url') ?? '').trim();
  if (text === '') throw new BadRequest('No address was given: "url" is missing.');
  if (text.length > MAX_URL || !/^(?:https?:\/\/|file:\/\/\/)/i.test(text) || !URL.canParse(text))
    throw new BadRequest('This is not an address of a web page.');
  return text;
}

/** A time as ISO 8601 (UTC where it does not say otherwise) or in milliseconds. */
export function timeOf({ parameters }: WebRequest, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null || text === '') return undefined;
  const time = /^\d{5,15}$/.test(text) ? Number(text) : readTime(text);
  if (time === undefined) throw new BadRequest(`"${name}" is not a time. Write it as 2026-11-15T12:00:00Z.`);
  return time;
}
