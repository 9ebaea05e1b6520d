import { signMessage } from './message-signature.ts';
import type { PublicJwk, SigningKey } from './signing-key.ts';

export const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';
export const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json';

const VALID_MS = 5 * 60_000;

interface DirectoryKey extends PublicJwk {
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

/** What is published of a key: a JWK set (draft-meunier-webbotauth-httpsig-directory). */
export function keyDirectory({ id, jwk }: SigningKey): { readonly keys: readonly DirectoryKey[] } {
  return { keys: [{ ...jwk, kid: id, use: 'sig', alg: 'EdDSA' }] };
}

/** The fields by which the host that serves the directory proves that it holds the key. `authority`: that host. */
export function directoryFields(key: SigningKey, authority: string, now: number): Readonly<Record<string, string>> {
  const { input, signature } = signMessage(key, {
    ...{ label: 'orbweaver', tag: 'http-message-signatures-directory', now, validForMs: VALID_MS },
    components: [{ id: '"@authority";req', value: authority }],
  });
  return { 'Signature-Input': input, Signature: signature };
}
