import { OrbweaverError } from '../../base/errors.ts';
import { type OpenSearchAnswer, type OpenSearchClient, OpenSearchTrouble } from './opensearch-client.ts';
import { INDEX_SETTINGS, MAPPING } from './sent-document.ts';

/**
 * Makes the index where there is none, and tells one that is there of our fields. Returns its number, which no other index ever has:
 * one that was deleted and made again holds nothing of what was sent before. Shards, replicas and analyzers are those of your
 * index templates.
 */
export async function openRemoteIndex(client: OpenSearchClient): Promise<string> {
  const found = await client.ask('GET', '/_settings');
  if (found.status === 404) {
    const made = await client.ask('PUT', '', { settings: INDEX_SETTINGS, mappings: MAPPING });
    // Another node may have been faster.
    if (made.status >= 300 && typeOf(made) !== 'resource_already_exists_exception') throw unexpected(client, made);
  } else if (found.status !== 200) throw unexpected(client, found);
  const mapped = await client.ask('PUT', '/_mapping', MAPPING);
  if (mapped.status === 400)
    throw new OrbweaverError(
      'SINK_FAILED',
      `${client.name} has fields of other kinds than ours (${reasonOf(mapped)}).`,
      {
        remedy: 'Name another index, or delete this one: it is made with the right fields then.',
      },
    );
  if (mapped.status !== 200) throw unexpected(client, mapped);
  return await remoteIndexId(client);
}

/** The number of the index as it is now; '' where there is none. */
export async function remoteIndexId(client: OpenSearchClient): Promise<string> {
  const answer = await client.ask('GET', '/_settings');
  if (answer.status === 404) return '';
  if (answer.status !== 200) throw unexpected(client, answer);
  const indexes = Object.values((answer.json ?? {}) as Record<string, { settings?: { index?: { uuid?: unknown } } }>);
  const uuid = indexes[0]?.settings?.index?.uuid;
  if (indexes.length === 1 && typeof uuid === 'string') return uuid;
  throw new OrbweaverError('SINK_FAILED', `${client.name} is not one index.`, {
    remedy: 'Name an index of an OpenSearch or Elasticsearch server, such as https://search.example.org:9200/pages.',
  });
}

/** What is worth another try, and what is not. */
export function unexpected(client: OpenSearchClient, answer: OpenSearchAnswer): Error {
  const { status, retryAfterMs } = answer;
  if (status === 429 || status >= 500)
    return new OpenSearchTrouble(`${client.name} answers HTTP ${status}`, retryAfterMs);
  return new OrbweaverError('SINK_FAILED', `${client.name} answers HTTP ${status} (${reasonOf(answer)}).`, {
    remedy: 'Look whether this is an index of an OpenSearch or Elasticsearch server, and what its log says.',
  });
}

interface ErrorAnswer {
  readonly error?: { readonly type?: unknown; readonly reason?: unknown };
}

function typeOf({ json }: OpenSearchAnswer): unknown {
  return (json as ErrorAnswer | undefined)?.error?.type;
}

/** In the server's words, cut short. */
function reasonOf(answer: OpenSearchAnswer): string {
  const reason = (answer.json as ErrorAnswer | undefined)?.error?.reason;
  return typeof reason === 'string' ? reason.slice(0, 200) : String(typeOf(answer) ?? 'no reason given').slice(0, 200);
}
