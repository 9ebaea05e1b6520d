import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { errors } from 'undici';
import {
  classifyError,
  classifyStatus,
  failureRule,
  parseRetryAfter,
  readRetryAfter,
} from '../../../src/fetch/failure-table.ts';
import { parseHttpDate } from '../../../src/fetch/http-date.ts';
import { latin1Text } from './latin1-text.ts';

const NOW = Date.UTC(2026, 10, 15, 12, 0, 0);

describe('failure table', () => {
  test('rules are told by code', () => {
    assert.equal(failureRule('dns-not-found').fault, 'host');
    assert.equal(failureRule('dns-not-found').restHost, true);
    assert.equal(failureRule('encoding-bomb').retries, 0);
    assert.equal(failureRule('http-4xx').retries, 0);
    assert.ok(failureRule('http-5xx').retries > 0);
    assert.equal(failureRule('internal').fault, 'ours');
  });

  test('errors are known by their codes', () => {
    const coded = (code: string): Error => Object.assign(new Error('any text'), { code });
    assert.equal(classifyError(coded('ECONNREFUSED')), 'connect-refused');
    assert.equal(classifyError(coded('ECONNRESET')), 'reset');
    assert.equal(classifyError(coded('CERT_HAS_EXPIRED')), 'tls-invalid');
    assert.equal(classifyError(coded('ERR_SSL_WRONG_VERSION_NUMBER')), 'tls-failed');
    assert.equal(classifyError(coded('HPE_INVALID_CONSTANT')), 'protocol');
    assert.equal(classifyError(coded('ERR_HTTP2_STREAM_ERROR')), 'protocol');
    assert.equal(classifyError(new errors.SocketError('x')), 'reset');
    assert.equal(classifyError(new errors.HTTPParserError('x')), 'protocol');
    assert.equal(classifyError(new errors.ClientDestroyedError()), 'aborted');
    assert.equal(classifyError(coded('EMFILE')), 'internal');
    assert.equal(classifyError(new TypeError('ECONNREFUSED')), 'internal');
    assert.equal(classifyError('ECONNREFUSED'), 'internal');
    assert.equal(classifyError(null), 'internal');
  });

  test('statuses', () => {
    const kinds = [200, 206, 304, 301, 308, 300, 404, 410, 403, 401, 408, 425, 500, 502, 599, 999].map(
      (status) => classifyStatus(status).kind,
    );
    assert.deepEqual(kinds, [
      'success',
      'success',
      'not-modified',
      'redirect',
      'redirect',
      'odd',
      'gone',
      'gone',
      'refused',
      'refused',
      'retry',
      'retry',
      'retry',
      'retry',
      'retry',
      'odd',
    ]);
    assert.deepEqual(classifyStatus(429), { kind: 'retry', pushback: true });
    assert.deepEqual(classifyStatus(503), { kind: 'retry', pushback: true });
    assert.equal(classifyStatus(500).pushback, false);
  });
});

describe('Retry-After', () => {
  test('seconds and dates', () => {
    assert.equal(parseRetryAfter('120', NOW), 120_000);
    assert.equal(parseRetryAfter(' 0 ', NOW), 0);
    assert.equal(parseRetryAfter('1.5', NOW), 1500);
    assert.equal(parseRetryAfter('Sun, 15 Nov 2026 12:01:00 GMT', NOW), 60_000);
    assert.equal(parseRetryAfter('Sun, 15 Nov 2026 11:00:00 GMT', NOW), 0);
  });

  test('absurd values are bounded, nonsense is none', () => {
    assert.equal(parseRetryAfter('99999999999999999999', NOW), 30 * 86_400_000);
    assert.equal(parseRetryAfter('Sun, 15 Nov 2126 12:01:00 GMT', NOW), 30 * 86_400_000);
    for (const value of [undefined, '', '-1', 'soon', '12 minutes', 'NaN', 'Infinity', '1e9']) {
      assert.equal(parseRetryAfter(value, NOW), undefined, value);
    }
  });
});

describe('HTTP dates', () => {
  test('the three forms of HTTP, and the ways of cookies', () => {
    const at = Date.UTC(1994, 10, 6, 8, 49, 37);
    for (const text of [
      'Sun, 06 Nov 1994 08:49:37 GMT',
      'Sunday, 06-Nov-94 08:49:37 GMT',
      'Sun Nov  6 08:49:37 1994',
      'Sun, 06-Nov-1994 08:49:37 GMT',
      '6 november 1994 8:49:37',
    ]) {
      assert.equal(parseHttpDate(text), at, text);
    }
    assert.equal(parseHttpDate('Wed, 01-Jan-69 00:00:00 GMT'), Date.UTC(2069, 0, 1));
  });

  test('no date where there is none', () => {
    for (const text of [
      '',
      'tomorrow',
      'Sun, 31 Feb 1994 08:49:37 GMT',
      '06 Nov 1994',
      'Sun, 06 Nov 1994 25:00:00 GMT',
    ]) {
      assert.equal(parseHttpDate(text), undefined, text);
    }
  });

  test('what the platform writes is read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), (seconds) => {
        assert.equal(parseHttpDate(new Date(seconds * 1000).toUTCString()), seconds * 1000);
      }),
    );
  });

  test('no text makes it throw', () => {
    fc.assert(fc.property(latin1Text, (text) => void parseHttpDate(text)));
  });
});

test('a date in Retry-After counts from the Date of the same answer, whichever clock is wrong', () => {
  const head = (fields: Record<string, string>) => ({ header: (name: string) => fields[name] });
  const later = 'Sun, 15 Nov 2026 12:02:00 GMT';
  const ahead = NOW + 25 * 3_600_000;
  assert.equal(readRetryAfter(head({ 'retry-after': later, date: 'Sun, 15 Nov 2026 12:00:00 GMT' }), ahead), 120_000);
  assert.equal(readRetryAfter(head({ 'retry-after': later }), NOW), 120_000);
  assert.equal(readRetryAfter(head({ 'retry-after': later, date: 'yesterday' }), NOW), 120_000);
  assert.equal(readRetryAfter(head({ 'retry-after': '7', date: 'Sun, 15 Nov 2026 12:00:00 GMT' }), ahead), 7000);
  assert.equal(readRetryAfter(head({}), NOW), undefined);
});
