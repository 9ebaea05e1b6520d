import { randomBytes } from 'node:crypto';
import type { SigningKey } from './signing-key.ts';

/** What a signature covers: an identifier as RFC 9421 writes it, such as `"@authority"`, and its value. */
export interface CoveredComponent {
  readonly id: string;
  readonly value: string;
}

export interface SignatureOptions {
  readonly label: string;
  readonly components: readonly CoveredComponent[];
  /** What the signature is for. */
  readonly tag: string;
  /** Wall clock, ms since the epoch. */
  readonly now: number;
  readonly validForMs: number;
}

/** 64 bytes, as the draft of Web Bot Auth recommends. */
const NONCE_BYTES = 64;

/** The `Signature-Input` and `Signature` fields of one signature (RFC 9421). */
export function signMessage(
  key: SigningKey,
  { label, components, tag, now, validForMs }: SignatureOptions,
): { readonly input: string; readonly signature: string } {
  const created = Math.floor(now / 1000);
  const expires = created + Math.ceil(validForMs / 1000);
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const covered = components.map(({ id }) => id).join(' ');
  const parameters = `(${covered});created=${created};expires=${expires};keyid="${key.id}";alg="ed25519";nonce="${nonce}";tag="${tag}"`;
  const base = [...components.map(({ id, value }) => `${id}: ${value}`), `"@signature-params": ${parameters}`].join(
    '\n',
  );
  return { input: `${label}=${parameters}`, signature: `${label}=:${key.sign(base)}:` };
}
