import { OrbweaverError } from '../../base/errors.ts';
import { remoteIndexId, unexpected } from './open-remote-index.ts';
import type { OpenSearchClient } from './opensearch-client.ts';
import type { Patience } from './patience.ts';

const PAGE = 1000;

interface FoundDocuments {
  readonly hits?: {
    readonly hits?: readonly {
      readonly _source?: { readonly url?: unknown };
      readonly _version?: unknown;
      readonly sort?: readonly unknown[];
    }[];
  };
}

/** The URLs of all documents in the index that came from one folder, with their versions. */
export async function* remoteUrls(
  client: OpenSearchClient,
  patience: Patience,
  { source, indexId }: { readonly source: string; readonly indexId: string },
): AsyncGenerator<{ readonly url: string; readonly version: number }> {
  await patience.keepTrying(async () => {
    if ((await remoteIndexId(client)) !== indexId)
      throw new OrbweaverError('SINK_FAILED', `The index of ${client.name} was made again by somebody else.`, {
        remedy: 'The next run sends everything to it: orbweaver opensearch.',
      });
    // What was written just now is found as well.
    const answer = await client.ask('POST', '/_refresh');
    if (answer.status !== 200) throw unexpected(client, answer);
  });
  let after: readonly unknown[] | undefined;
  for (;;) {
    const asked = {
      ...{ size: PAGE, version: true, _source: ['url'], track_total_hits: false },
      ...{ query: { term: { source } }, sort: [{ url: 'asc' }] },
      ...(after === undefined ? {} : { search_after: after }),
    };
    const found = await patience.keepTrying(async () => {
      const answer = await client.ask('POST', '/_search', asked);
      if (answer.status !== 200) throw unexpected(client, answer);
      return (answer.json as FoundDocuments | undefined)?.hits?.hits ?? [];
    });
    for (const { _source, _version } of found)
      if (typeof _source?.url === 'string') yield { url: _source.url, version: Number(_version ?? 0) };
    after = found.at(-1)?.sort;
    if (found.length < PAGE || after === undefined) return;
  }
}
