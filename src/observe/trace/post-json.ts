import { getBuiltinModule } from 'node:process';
import { request as requestHttp } from '../../base/node-http.ts';

export interface JsonToPost {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** From the first byte sent to the end of the answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Never rejects. The status of the answer; undefined where there was none in time. */
export type PostJson = (url: string, what: JsonToPost) => Promise<number | undefined>;

/** One request to an address that the user has named. Redirects are not followed. */
export const postJson: PostJson = (url, { headers, body, timeoutMs, signal }) =>
  new Promise((resolve) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const request = (url.startsWith('https:') ? getBuiltinModule('node:https').request : requestHttp)(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) },
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    request.on('error', () => resolve(undefined));
    request.on('response', (response) => {
      response.on('error', () => resolve(undefined));
      response.on('end', () => resolve(response.statusCode));
      response.on('close', () => resolve(undefined));
      response.resume();
    });
    request.end(body);
  });
