import type { PushNotice, PushRequest, PushResponse } from '../../contracts/push.ts';

/** A plain-text answer. Nothing that a foreigner sent is ever given back as something a browser would run. */
export function pushAnswer(
  status: number,
  body = '',
  more: { readonly headers?: Readonly<Record<string, string>>; readonly notice?: PushNotice } = {},
): PushResponse {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...more.headers,
  };
  return more.notice === undefined ? { status, headers, body } : { status, headers, body, notice: more.notice };
}

/** Path and parameters of a request's URL, or undefined where it is none. */
export function requestTarget(request: PushRequest): { path: string; query: URLSearchParams } | undefined {
  const url = URL.parse(request.url, 'http://push.invalid/');
  return url === null ? undefined : { path: url.pathname, query: url.searchParams };
}

/** The first value of a header. */
export function headerOf(request: PushRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
