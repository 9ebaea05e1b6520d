import { z } from '@hono/zod-openapi';

/** What the API takes and answers: checks, types and the document are made from these. */
export const Problem = z
  .object({ error: z.string().openapi({ description: 'What is wrong, and what to do about it.' }) })
  .openapi('Problem');

const wholeNumber = (least: number, most: number, usual: number) =>
  z.coerce
    .number({ error: `takes a whole number from ${least} to ${most}.` })
    .int({ error: `takes a whole number from ${least} to ${most}.` })
    .min(least, { error: `takes a whole number from ${least} to ${most}.` })
    .max(most, { error: `takes a whole number from ${least} to ${most}.` })
    .default(usual);

export const query = z.string().min(1, { error: 'is missing.' }).max(1000, { error: 'has at most 1,000 characters.' });
export const url = z
  .string()
  .max(8192, { error: 'has at most 8,192 characters.' })
  .regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\//, { error: 'is not an http or https URL.' })
  .openapi({ example: 'https://example.org/' });
/** A switch of a query string. */
const flag = z.enum(['0', '1']).default('0');

export const SearchQuery = z.object({
  q: query.openapi({ description: 'The query; see docs/search.md for its language.' }),
  page: wholeNumber(1, 1000, 1),
  perPage: wholeNumber(1, 100, 10),
  facets: flag,
  unfolded: flag.openapi({ description: '1: near-duplicates one by one.' }),
  exact: flag.openapi({ description: '1: words as they are written, no other forms.' }),
});
export const CompleteQuery = z.object({ q: query, limit: wholeNumber(1, 20, 8) });
export const ScoreQuery = z.object({
  q: query,
  id: z.string().min(1).max(8192).openapi({ description: 'URL or id of the document.' }),
});
export const UrlQuery = z.object({ url });
export const HostsQuery = z.object({ limit: wholeNumber(1, 1000, 20) });
export const PagesQuery = z.object({
  limit: wholeNumber(1, 1000, 100),
  after: url.optional().openapi({ description: 'The `next` of the answer before.' }),
  outcome: z
    .enum(['stored', 'unchanged', 'duplicate', 'redirected', 'refused', 'gone', 'failed'])
    .optional()
    .openapi({ description: 'Of the last visit.' }),
});

export const SearchResults = z.looseObject({ total: z.number() }).openapi('SearchResults');
export const Completions = z.object({ query: z.string(), completions: z.array(z.string()) }).openapi('Completions');
export const Score = z.looseObject({ query: z.string(), id: z.string() }).openapi('Score');
export const UrlExplanation = z
  .looseObject({ url: z.string() })
  .openapi('UrlExplanation', { description: 'What `orbweaver explain --json` tells.' });
export const Status = z
  .looseObject({
    totals: z.looseObject({ pages: z.number(), requests: z.number() }),
    queued: z.number(),
    hosts: z.number(),
  })
  .openapi('Status', { description: 'The crawl at one moment, as the dashboard shows it.' });
export const Hosts = z
  .object({ hosts: z.array(z.looseObject({ host: z.string(), queued: z.number(), pages: z.number() })) })
  .openapi('Hosts', { description: 'The hosts with the longest queues.' });
export const Pages = z
  .object({
    pages: z.array(z.looseObject({ url: z.string() })),
    next: z.string().optional().openapi({ description: 'Where the next answer begins; absent at the end.' }),
  })
  .openapi('Pages');

const Urls = z.array(url).min(1, { error: 'names no URL.' }).max(1000, { error: 'has at most 1,000 URLs.' });
export const UrlsBody = z.object({ urls: Urls }).openapi('UrlList');
export const SettingsBody = z
  .record(z.string(), z.union([z.string(), z.number(), z.array(z.string()), z.null()]))
  .refine((changes) => Object.keys(changes).length > 0, { error: 'No setting was named.' })
  .openapi('SettingChanges', {
    description: 'By name, such as `delay`; null lets count again what the crawl was started with.',
    example: { delay: '2s', 'max-pages': null },
  });
export const HostBody = z
  .object({ host: z.string().min(1).max(300), state: z.enum(['hold', 'open']) })
  .openapi('HostSwitch');
export const PatternBody = z
  .object({ pattern: z.string().min(1).max(8192), state: z.enum(['hold', 'open', 'learn']) })
  .openapi('PatternSwitch');
export const NoBody = z.object({}).openapi('Nothing', { description: 'An empty object.' });
export const OperationId = z.object({
  id: z.coerce
    .number({ error: 'takes a whole number.' })
    .int({ error: 'takes a whole number.' })
    .positive({ error: 'takes a whole number from 1.' })
    .openapi({ param: { name: 'id', in: 'path' } }),
});

export const Operation = z
  .object({
    id: z.number().int(),
    at: z.number().openapi({ description: 'ms since the epoch.' }),
    by: z.enum(['command', 'page', 'api']),
    operation: z.looseObject({
      kind: z.enum(['pause', 'resume', 'stop', 'set', 'host', 'pattern', 'submit', 'requeue']),
    }),
    takenAt: z.number().optional().openapi({ description: 'When a crawl took it up; absent while it waits for one.' }),
    outcome: z.string().optional(),
  })
  .openapi('Operation');
export const Operations = z.object({ operations: z.array(Operation) }).openapi('Operations');
export const Control = z
  .object({
    running: z.boolean(),
    pausedAt: z.number().optional(),
    isPauseTaken: z.boolean(),
    settings: z.record(z.string(), z.string()),
    heldHosts: z.array(z.string()),
    patterns: z.record(z.string(), z.enum(['open', 'hold'])),
    changeable: z.array(z.string()),
  })
  .openapi('Control');
