import { createHmac, timingSafeEqual } from 'node:crypto';

/** The methods that WebSub knows, with the length of their digests in bytes. */
const METHODS: ReadonlyMap<string, number> = new Map([
  ['sha1', 20],
  ['sha256', 32],
  ['sha384', 48],
  ['sha512', 64],
]);

/** Whether X-Hub-Signature is that of this body under our secret, in constant time. Unknown methods are no signature. */
export function isHubSignature(header: string, secret: string, body: Uint8Array): boolean {
  const equals = header.indexOf('=');
  const method = header.slice(0, equals).trim().toLowerCase();
  const bytes = METHODS.get(method);
  const hex = header.slice(equals + 1).trim();
  if (bytes === undefined || hex.length !== 2 * bytes || !/^[0-9a-f]+$/i.test(hex)) return false;
  return timingSafeEqual(createHmac(method, secret).update(body).digest(), Buffer.from(hex, 'hex'));
}
