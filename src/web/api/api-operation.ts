import type { OpenAPIHono, z } from '@hono/zod-openapi';
import { createRoute } from '@hono/zod-openapi';
import { jsonReply } from '../http/reply.ts';
import { askOf, type RouterEnv, sendReply } from '../http/router.ts';
import { Problem } from './schemas.ts';

export type Api = OpenAPIHono<RouterEnv>;
type Shape = z.ZodObject;

export interface ApiOperation<Q extends Shape, P extends Shape, B extends z.ZodType> {
  readonly method: 'get' | 'post' | 'put' | 'patch';
  /** Below /api/v1. */
  readonly path: string;
  readonly summary: string;
  readonly tag: 'Reading' | 'Control';
  readonly query?: Q;
  readonly params?: P;
  readonly body?: B;
  readonly answer: z.ZodType;
  /** Of what is answered where all went well; 202: it is kept, and a crawl takes it up. */
  readonly status?: 200 | 202;
  readonly run: (asked: {
    readonly query: z.infer<Q>;
    readonly params: z.infer<P>;
    readonly body: z.infer<B>;
    readonly signal: AbortSignal;
  }) => unknown;
}

/** What was asked for is not here. */
export class NotHere extends Error {}

const PROBLEMS: Readonly<Record<number, string>> = {
  400: 'What was sent makes no sense; `error` says why.',
  401: 'A token is needed.',
  403: 'The token may not do this, or the request comes from another site.',
  404: 'There is no such thing here.',
  413: 'More was sent than is taken.',
  415: 'Something else than JSON was sent.',
  429: 'Too many requests; Retry-After says when to come again.',
  500: 'A fault of the server.',
  503: 'The search is too busy, or nothing can be searched yet; Retry-After says when to come again.',
};

/** Adds an operation to the API and to its document. */
export function addOperation<Q extends Shape, P extends Shape, B extends z.ZodType>(
  api: Api,
  operation: ApiOperation<Q, P, B>,
): void {
  const { method, path, summary, tag, query, params, body, answer, status = 200, run } = operation;
  const isReading = method === 'get';
  const problems = isReading ? [400, 401, 404, 429, 500, 503] : [400, 401, 403, 404, 413, 415, 429, 500];
  const content = (schema: z.ZodType) => ({ 'application/json': { schema } });
  const route = createRoute({
    ...{ method, path: `/api/v1${path}`, summary, tags: [tag] },
    operationId: `${method}${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W/g, '')}`,
    security: [{ token: [] }],
    request: {
      ...(query === undefined ? {} : { query }),
      ...(params === undefined ? {} : { params }),
      ...(body === undefined ? {} : { body: { content: content(body), required: true } }),
    },
    responses: {
      [status]: {
        description: isReading ? 'What was asked for.' : 'It is kept, and a crawl takes it up.',
        content: content(answer),
      },
      ...Object.fromEntries(problems.map((code) => [code, { description: PROBLEMS[code], content: content(Problem) }])),
    },
  });
  api.openapi(route, async (c) => {
    const valid = (target: string): unknown => c.req.valid(target as never);
    const asked = {
      query: (query === undefined ? {} : valid('query')) as z.infer<Q>,
      params: (params === undefined ? {} : valid('param')) as z.infer<P>,
      body: (body === undefined ? {} : valid('json')) as z.infer<B>,
      signal: askOf(c).signal,
    };
    return sendReply(c, jsonReply(await run(asked), status)) as never;
  });
}
