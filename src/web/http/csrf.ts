import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Whether a form was filled in on a page of ours, and not sent by a stranger's page in the reader's name. */
export class FormGuard {
  readonly #secret = randomBytes(32);

  /** Stands in every form; good as long as the server runs. */
  get token(): string {
    return createHmac('sha256', this.#secret).update('form').digest('base64url');
  }

  /** Undefined where all is well, else what is wrong. */
  problem(headers: IncomingHttpHeaders, origin: string, token: string | null): string | undefined {
    const site = headers['sec-fetch-site'];
    if (site !== undefined && site !== 'same-origin' && site !== 'none')
      return 'The form was sent by a page of another site.';
    // Browsers say "null" where they are told to keep to themselves where they come from.
    const from = headers.origin;
    if (from !== undefined && from !== 'null' && from !== origin) return 'The form was sent by a page of another site.';
    return this.#isOurs(token ?? '')
      ? undefined
      : 'The page is older than this server. Go back, reload it, and send the form again.';
  }

  #isOurs(token: string): boolean {
    const [given, ours] = [Buffer.from(token), Buffer.from(this.token)];
    return given.length === ours.length && timingSafeEqual(given, ours);
  }
}
