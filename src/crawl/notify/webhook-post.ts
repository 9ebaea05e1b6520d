import { createHmac } from 'node:crypto';
import type { LoggedChange } from '../../contracts/change-log.ts';
import { changeReport } from './change-report.ts';

/** The part of `fetch` that is needed here. */
export type Post = (
  url: string,
  request: {
    readonly method: 'POST';
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: { cancel(): Promise<void> } | null;
}>;

export interface Envelope {
  /** Name of the crawl. */
  readonly crawl: string;
  readonly secret: string;
  readonly userAgent: string;
}

export type PostResult =
  | { readonly taken: true }
  | { readonly taken: false; readonly why: string; readonly retryAfterMs?: number };

/** Sends one batch. Whatever goes wrong is a result. */
export async function postChanges(
  post: Post,
  url: string,
  envelope: Envelope,
  changes: readonly LoggedChange[],
  signal: AbortSignal,
): Promise<PostResult> {
  const body = JSON.stringify({ crawl: envelope.crawl, changes: changes.map(changeReport) });
  try {
    const response = await post(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': envelope.userAgent,
        'x-orbweaver-delivery': `${changes[0].number}-${changes[changes.length - 1].number}`,
        ...(envelope.secret === '' ? {} : { 'x-orbweaver-signature': signatureOf(body, envelope.secret) }),
      },
      body,
      // What was meant for one address is not carried to another.
      redirect: 'manual',
      signal,
    });
    await response.body?.cancel();
    if (response.status >= 200 && response.status < 300) return { taken: true };
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      taken: false,
      why: `HTTP ${response.status}`,
      ...(seconds >= 0 ? { retryAfterMs: seconds * 1000 } : {}),
    };
  } catch (error) {
    return { taken: false, why: reasonOf(error) };
  }
}

/** HMAC-SHA256 of the bytes of the body, as `sha256=` and hexadecimal digits. */
export function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** `fetch` says only that it failed; the cause says why. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error;
  const code = (cause as { code?: unknown } | undefined)?.code;
  if (typeof code === 'string') return code;
  return cause instanceof Error ? cause.message : error.message;
}
