import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { isHubSignature } from '../../../../src/seeds/push/hub-signature.ts';
import { hubSignature } from './sign-as-hub.ts';

const METHODS = ['sha1', 'sha256', 'sha384', 'sha512'] as const;

describe('X-Hub-Signature', () => {
  test('known values (RFC 2202 and RFC 4231, second cases)', () => {
    const body = Buffer.from('what do ya want for nothing?');
    assert.equal(hubSignature('sha1', 'Jefe', body), 'sha1=effcdf6ae5eb2fa2d27416d5f184df9c259a7c79');
    assert.equal(
      hubSignature('sha256', 'Jefe', body),
      'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
    assert.ok(isHubSignature('SHA1=EFFCDF6AE5EB2FA2D27416D5F184DF9C259A7C79', 'Jefe', body));
  });

  test('every method is taken, and only with this body and this secret', () => {
    fc.assert(
      fc.property(fc.constantFrom(...METHODS), fc.string(), fc.uint8Array(), (method, secret, body) => {
        const signature = hubSignature(method, secret, body);
        assert.ok(isHubSignature(signature, secret, body));
        assert.ok(!isHubSignature(signature, `${secret}x`, body));
        assert.ok(!isHubSignature(signature, secret, Buffer.concat([body, Buffer.from('x')])));
        assert.ok(!isHubSignature(signature.slice(0, -1), secret, body));
        assert.ok(!isHubSignature(`${signature}00`, secret, body));
      }),
    );
  });

  test('what is no signature is wrong, not an error', () => {
    const digest = hubSignature('sha256', 's', new Uint8Array()).slice(7);
    const headers = [
      '',
      '=',
      'sha256',
      'sha256=',
      digest,
      `md5=${digest}`,
      `sha256=${'g'.repeat(64)}`,
      `sha1=${digest}`,
    ];
    for (const header of headers) assert.equal(isHubSignature(header, 's', new Uint8Array()), false, header);
    fc.assert(fc.property(fc.string(), (header) => !isHubSignature(header, 's', new Uint8Array())));
  });
});
