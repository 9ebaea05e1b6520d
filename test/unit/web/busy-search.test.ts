import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { OrbweaverError } from '../../../src/base/errors.ts';
import type { SearchAnswer, SearchRequest } from '../../../src/contracts/search-service.ts';
import { serve } from './serving.ts';
import { SmallSearch } from './small-search.ts';

/** Never answers; tells when nobody waits any more. */
class EndlessSearch extends SmallSearch {
  readonly began = Promise.withResolvers<void>();
  readonly gone = Promise.withResolvers<void>();

  override search(_request: SearchRequest, signal?: AbortSignal): Promise<SearchAnswer> {
    this.began.resolve();
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        this.gone.resolve();
        reject(signal.reason);
      });
    });
  }
}

describe('A search that is too busy', () => {
  test('is told with 503 and when to come again, as a page and as JSON', async () => {
    await using served = await serve();
    served.search.fault = new OrbweaverError('SEARCH_BUSY', 'busy');
    for (const path of ['/search?q=spider', '/search.rss?q=spider', '/api/search?q=spider']) {
      const { status, headers, text } = await served.get(path);
      assert.equal(status, 503, path);
      assert.match(String(headers['retry-after']), /^[1-9]\d*$/);
      assert.match(text, /try again/i);
    }
    assert.deepEqual(JSON.parse((await served.get('/api/search?q=spider')).text), {
      error: 'More is being searched for than can be answered soon. Please try again in a few seconds.',
    });
    assert.deepEqual(served.faults, [], 'being busy is no fault');
    assert.equal((await served.get('/healthz')).status, 200);
  });

  test('does not go on for a client who has gone', async () => {
    const search = new EndlessSearch([]);
    await using served = await serve({ search });
    const socket = connect(served.listening.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /search?q=spider HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await search.began.promise;
    socket.destroy();
    await search.gone.promise;
    assert.equal((await served.get('/help')).status, 200);
    assert.deepEqual(served.faults, []);
  });
});
