import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { httpbis } from 'http-message-signatures';
import { RequestHeaders } from '../../../../src/fetch/request-headers.ts';
import { directoryFields, keyDirectory } from '../../../../src/fetch/signing/key-directory.ts';
import { RequestSigner } from '../../../../src/fetch/signing/request-signer.ts';
import { createSigningKey, readSigningKey, SigningKey } from '../../../../src/fetch/signing/signing-key.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';

/** The verifier asks the system for the time. */
const NOW = Math.floor(Date.now() / 1000) * 1000;
const AGENT = 'https://bot.example.org';

/** The test key of RFC 9421, appendix B.1.4. */
const RFC_KEY = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----
`;

function pairs(fields: readonly string[]): Record<string, string> {
  return Object.fromEntries(fields.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), fields[at + 1]]] : [])));
}

/** As an implementation of others sees it. */
async function isValid(key: SigningKey, url: string, headers: Record<string, string>): Promise<boolean> {
  const publicKey = createPublicKey({ key: { ...key.jwk }, format: 'jwk' });
  const result = await httpbis.verifyMessage(
    {
      keyLookup: async ({ keyid }) =>
        keyid === key.id
          ? {
              id: key.id,
              algs: ['ed25519'],
              verify: async (data, signature) => verify(null, data, publicKey, signature),
            }
          : null,
    },
    { method: 'GET', url, headers },
  );
  return result === true;
}

describe('signed requests', () => {
  const key = new SigningKey(generateKeyPairSync('ed25519').privateKey);
  const signer = new RequestSigner(key, AGENT, { now: () => NOW });

  test('an independent implementation finds the signature valid for the host that it was made for, and for no other', async () => {
    const headers = pairs(signer.fieldsFor('https://example.org:8443'));
    assert.equal(headers['signature-agent'], `orbweaver="${AGENT}"`);
    assert.match(headers['signature-input'], /;tag="web-bot-auth"$/);
    assert.ok(await isValid(key, 'https://example.org:8443/any?path', headers));
    await assert.rejects(isValid(key, 'https://example.org/any', headers).then((valid) => assert.ok(valid)));
    const agent = { ...headers, 'signature-agent': 'orbweaver="https://other.example"' };
    await assert.rejects(isValid(key, 'https://example.org:8443/', agent).then((valid) => assert.ok(valid)));
  });

  test('it expires within minutes, by the date, and has a nonce of its own', () => {
    const dated = new RequestSigner(key, AGENT, { now: () => 1, date: () => NOW });
    const inputs = [1, 2].map(() => pairs(dated.fieldsFor('http://a.example'))['signature-input']);
    const [, created, expires] = /created=(\d+);expires=(\d+)/.exec(inputs[0]) ?? [];
    assert.deepEqual([Number(created), Number(expires)], [NOW / 1000, NOW / 1000 + 300]);
    assert.notEqual(inputs[0], inputs[1]);
  });

  test('the thumbprint is that of RFC 7638, for PEM and JWK alike', () => {
    using folder = temporaryFolder();
    const pem = join(folder.path, 'key.pem');
    writeFileSync(pem, RFC_KEY);
    const ofPem = readSigningKey(pem);
    assert.equal(ofPem.jwk.x, 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs');
    assert.equal(ofPem.id, 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U');
    const jwk = join(folder.path, 'key.json');
    writeFileSync(jwk, JSON.stringify({ ...ofPem.jwk, d: 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU' }));
    assert.equal(readSigningKey(jwk).id, ofPem.id);
  });

  test('requests under another name are not signed; others are, once', () => {
    const headers = new RequestHeaders({ userAgent: 'Orbweaver/1', signer });
    const names = (fields: readonly string[]): string[] => fields.filter((_, at) => at % 2 === 0);
    assert.equal(names(headers.for('https://example.org')).filter((name) => name === 'Signature').length, 1);
    assert.ok(!names(headers.for('https://example.org', undefined, undefined, 'Mozilla/5.0')).includes('Signature'));
  });

  test('the key directory proves that its host holds the key', async () => {
    assert.deepEqual(keyDirectory(key).keys[0], { ...key.jwk, kid: key.id, use: 'sig', alg: 'EdDSA' });
    const headers = pairs(Object.entries(directoryFields(key, 'bot.example.org', NOW)).flat());
    const publicKey = createPublicKey({ key: { ...key.jwk }, format: 'jwk' });
    const valid = await httpbis.verifyMessage(
      {
        keyLookup: async () => ({
          id: key.id,
          algs: ['ed25519'],
          verify: async (data, signature) => verify(null, data, publicKey, signature),
        }),
      },
      { status: 200, headers },
      { method: 'GET', url: 'https://bot.example.org/.well-known/http-message-signatures-directory', headers: {} },
    );
    assert.equal(valid, true);
  });

  test('a key is made in a new file for its owner alone; what is no key is refused, without its text', () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'bot.pem');
    const made = createSigningKey(path);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(readSigningKey(path).id, made.id);
    assert.throws(() => createSigningKey(path), /never overwritten|cannot be written/);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    for (const text of ['secret words', '{"kty":"OKP"}', '{', privateKey.export({ format: 'pem', type: 'pkcs8' })]) {
      const other = join(folder.path, 'other');
      writeFileSync(other, text);
      assert.throws(
        () => readSigningKey(other),
        (error: Error) =>
          /signature-key .* cannot be used/.test(error.message) && !error.message.includes('secret words'),
      );
    }
    assert.throws(() => readSigningKey(join(folder.path, 'none')), /ENOENT/);
    assert.ok(readFileSync(path, 'utf8').startsWith('-----BEGIN PRIVATE KEY-----'));
  });
});
