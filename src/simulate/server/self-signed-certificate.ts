import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

export interface Certificate {
  /** Both in PEM. */
  readonly cert: string;
  readonly key: string;
}

const ECDSA_WITH_SHA256 = '06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const BASIC_CONSTRAINTS = '0603551d13';
const ALTERNATIVE_NAMES = '0603551d11';
/** YYMMDDhhmmssZ and YYYYMMDDhhmmssZ. */
export interface Validity {
  readonly from: string;
  readonly until: string;
}

/** Before any test, and after all of them. */
const ALWAYS: Validity = { from: '200101000000Z', until: '21200101000000Z' };

/** A certificate for these names (or IPv4 addresses) that vouches for itself: who trusts it trusts the server. */
export function selfSignedCertificate(names: readonly string[], validity: Validity = ALWAYS): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = der(0x30, hex(ECDSA_WITH_SHA256));
  const name = der(0x30, der(0x31, der(0x30, hex(COMMON_NAME), der(0x0c, ascii('synthetic web')))));
  const alternatives = names.map((text) =>
    isIPv4(text) ? der(0x87, Buffer.from(text.split('.').map(Number))) : der(0x82, ascii(text)),
  );
  const extensions = der(
    0x30,
    der(0x30, hex(BASIC_CONSTRAINTS), hex('0101ff'), der(0x04, der(0x30, hex('0101ff')))),
    der(0x30, hex(ALTERNATIVE_NAMES), der(0x04, der(0x30, ...alternatives))),
  );
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)]);
  const content = der(
    0x30,
    der(0xa0, hex('020102')),
    der(0x02, serial),
    algorithm,
    name,
    der(0x30, der(0x17, ascii(validity.from)), der(0x18, ascii(validity.until))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = sign('sha256', content, privateKey);
  const whole = der(0x30, content, algorithm, der(0x03, Buffer.from([0]), signature));
  return { cert: pem(whole), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** One element of DER: tag, length, contents. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = length < 256 ? [length] : length < 65_536 ? [length >> 8, length & 255] : bytes3(length);
  return Buffer.concat([Buffer.from([tag, 0x80 | size.length, ...size]), content]);
}

function bytes3(length: number): number[] {
  return [length >> 16, (length >> 8) & 255, length & 255];
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

function ascii(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
