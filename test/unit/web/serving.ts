import { type IncomingHttpHeaders, request } from 'node:http';
import { type Listening, type ListenOptions, startWebApp } from '../../../src/web/http/listen.ts';
import { WebApp, type WebAppParts } from '../../../src/web/web-app.ts';
import { SmallReader } from './small-reader.ts';
import { SmallSearch } from './small-search.ts';
import { COPIES, DOCUMENTS } from './spider-web.ts';

export interface Served extends AsyncDisposable {
  readonly listening: Listening;
  readonly search: SmallSearch;
  readonly faults: unknown[];
  get(path: string, headers?: Record<string, string>, method?: string, body?: string | Buffer): Promise<Got>;
}

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
}

/** The app on a real socket over a small web. */
export async function serve(parts: Partial<WebAppParts> = {}, options: ListenOptions = {}): Promise<Served> {
  const search = new SmallSearch(DOCUMENTS);
  const faults: unknown[] = [];
  const app = new WebApp({
    search,
    reader: new SmallReader(COPIES),
    title: 'Spiders',
    onFault: (fault) => faults.push(fault),
    ...parts,
  });
  const listening = await startWebApp(app, options);
  return {
    listening,
    search,
    faults,
    get: (path, headers = {}, method = 'GET', body = '') => get(listening.port, path, headers, method, body),
    [Symbol.asyncDispose]: () => listening.close(),
  };
}

/** By node:http, which sends paths and headers as they are given. */
function get(
  port: number,
  path: string,
  headers: Record<string, string>,
  method: string,
  body: string | Buffer,
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString(), bytes });
      });
      response.on('error', reject);
    });
    asking.on('error', reject);
    asking.end(body);
  });
}
