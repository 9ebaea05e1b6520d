import { createHmac } from 'node:crypto';

/** The value of X-Hub-Signature for a body, as hubs make it. */
export function hubSignature(
  method: 'sha1' | 'sha256' | 'sha384' | 'sha512',
  secret: string,
  body: Uint8Array,
): string {
  return `${method}=${createHmac(method, secret).update(body).digest('hex')}`;
}
