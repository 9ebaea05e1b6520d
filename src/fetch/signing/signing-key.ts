import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { OrbweaverError } from '../../base/errors.ts';

/** The public half of an Ed25519 key (RFC 8037). */
export interface PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
}

/** An Ed25519 private key that signs, and the name by which others find its public half. */
export class SigningKey {
  /** The JWK thumbprint (RFC 7638). */
  readonly id: string;
  readonly jwk: PublicJwk;
  readonly #key: KeyObject;

  constructor(key: KeyObject) {
    const { x } = createPublicKey(key).export({ format: 'jwk' }) as { x: string };
    this.#key = key;
    this.jwk = { kty: 'OKP', crv: 'Ed25519', x };
    this.id = createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url');
  }

  /** Base64. */
  sign(text: string): string {
    return sign(null, Buffer.from(text, 'latin1'), this.#key).toString('base64');
  }
}

/** Reads a key from a file in PEM (PKCS #8) or as a JWK. Throws `SETTING_INVALID`, without a word of what the file holds. */
export function readSigningKey(path: string): SigningKey {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw unusable(path, `it cannot be read (${code})`);
  }
  const key = parseKey(text.trim());
  if (key === undefined) throw unusable(path, 'it holds no private key without a passphrase');
  if (key.asymmetricKeyType !== 'ed25519') throw unusable(path, `it holds a key of the kind ${key.asymmetricKeyType}`);
  return new SigningKey(key);
}

/** Makes a key and writes it to a new file that only its owner can read. */
export function createSigningKey(path: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    writeFileSync(path, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new OrbweaverError('USAGE', `The key cannot be written to ${path} (${code}).`, {
      remedy: code === 'EEXIST' ? 'Name a file that does not exist: keys are never overwritten.' : 'Name another file.',
    });
  }
  return new SigningKey(privateKey);
}

function parseKey(text: string): KeyObject | undefined {
  try {
    return text.startsWith('{')
      ? createPrivateKey({ key: JSON.parse(text), format: 'jwk' })
      : createPrivateKey({ key: text, format: 'pem' });
  } catch {
    return undefined;
  }
}

function unusable(path: string, why: string): OrbweaverError {
  return new OrbweaverError('SETTING_INVALID', `signature-key ${path} cannot be used: ${why}.`, {
    remedy: 'Make a key with: orbweaver bot key FILE. An Ed25519 key in PEM (PKCS #8) or as a JWK is read.',
  });
}
