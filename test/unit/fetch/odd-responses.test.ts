import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { FetchResult } from '../../../src/contracts/fetcher.ts';
import { corpus, skipWithout } from '../../corpora.ts';
import { brief, serveRaw, testFetcher } from './loopback.ts';

interface CurlCase {
  readonly test: number;
  readonly name: string;
  readonly options: readonly string[];
  readonly curl_exit: number;
  readonly reply_b64: string;
}

interface LlhttpCase {
  readonly title: string;
  readonly http: string;
  readonly error: string | null;
}

const MAX_BYTES = 100_000;

function read<T>(file: string): T[] {
  const text = readFileSync(join(corpus('http-responses') as string, file), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

/** Sends each reply from a socket, then closes; the result of each. */
async function replay(replies: readonly Buffer[]): Promise<FetchResult[]> {
  let reply = Buffer.alloc(0) as Buffer;
  await using server = await serveRaw((socket) => socket.end(reply));
  await using site = testFetcher({ maxBytes: MAX_BYTES, minRate: 0, headersMs: 60_000, bodyIdleMs: 60_000 });
  const results: FetchResult[] = [];
  for (const one of replies) {
    reply = one;
    const url = `http://site.test:${server.port}/`;
    const result = await site.fetch(url);
    // The end of the last connection may not have been noticed yet; who asks without a pause meets that.
    const closed = result.kind === 'failed' && result.detail === 'a kept connection was closed';
    results.push(closed ? await site.fetch(url) : result);
  }
  return results;
}

function assertFiled(results: readonly FetchResult[]): void {
  for (const result of results) {
    assert.ok(result.kind === 'response' || result.kind === 'failed');
    if (result.kind === 'failed') assert.notEqual(result.code, 'internal', result.detail);
    else assert.ok(result.raw.length <= MAX_BYTES && result.body.length <= MAX_BYTES);
  }
}

describe('responses as odd servers send them', () => {
  test("curl's cases: each is filed, and those curl takes yield their body", {
    skip: skipWithout('http-responses'),
  }, async (t) => {
    const cases = read<CurlCase>('curl.jsonl');
    const results = await replay(cases.map((one) => Buffer.from(one.reply_b64, 'base64')));
    assertFiled(results);
    const missed = cases.flatMap((one, i) =>
      one.curl_exit === 0 && results[i].kind !== 'response' ? [`${one.test} ${one.name}: ${brief(results[i])}`] : [],
    );
    const accepted = cases.filter((one) => one.curl_exit === 0).length;
    t.diagnostic(`${accepted - missed.length} of ${accepted} replies that curl takes are taken`);
    for (const line of missed) t.diagnostic(line);
    // What is left are replies without any head (HTTP/0.9), which curl takes only when told to.
    const headless = cases.filter((one) => one.curl_exit === 0 && one.options.includes('--http0.9')).length;
    assert.equal(missed.length, headless);
  });

  test("llhttp's cases: each is filed", { skip: skipWithout('http-responses') }, async (t) => {
    const cases = read<LlhttpCase>('llhttp-responses.jsonl');
    const unescaped = (text: string): string =>
      text
        .replace(/\n/g, '\r\n')
        .replace(/\\r/g, '\r')
        .replace(/\\n/g, '\n')
        .replace(/\\t/g, '\t')
        .replace(/\\f/g, '\f')
        .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    const results = await replay(cases.map((one) => Buffer.from(unescaped(one.http), 'latin1')));
    assertFiled(results);
    const failedSound = cases
      .filter((one, i) => one.error === null && results[i].kind === 'failed')
      .map((one) => one.title);
    t.diagnostic(`${results.filter((result) => result.kind === 'response').length} of ${cases.length} taken`);
    for (const title of failedSound) t.diagnostic(`sound to llhttp, not to us: ${title}`);
  });
});
