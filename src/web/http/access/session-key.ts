import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Session {
  readonly role: string;
  /** Tells one session from another. */
  readonly nonce: string;
  /** ms since the epoch. */
  readonly until: number;
}

/** Signs sessions, and what stands in their forms. */
export class SessionKey {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  sign({ role, nonce, until }: Session): string {
    const text = `${role}.${until}.${nonce}`;
    return `${text}.${this.#mac(`session ${text}`).toString('base64url')}`;
  }

  /** Undefined for what was not signed with this key. Its end is the caller's to look at. */
  read(signed: string): Session | undefined {
    const parts = /^([a-z]+)\.(\d{1,16})\.([\w-]{1,64})\.([\w-]{43})$/.exec(signed);
    if (parts === null) return undefined;
    const [, role, until, nonce, mac] = parts;
    const expected = this.#mac(`session ${role}.${until}.${nonce}`);
    const given = Buffer.from(mac, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    return { role, nonce, until: Number(until) };
  }

  /** A page of another site cannot read it, and so cannot send it. */
  csrfOf(nonce: string): string {
    return this.#mac(`form ${nonce}`).toString('base64url');
  }

  #mac(text: string): Buffer {
    return createHmac('sha256', this.#secret).update(text).digest();
  }
}
