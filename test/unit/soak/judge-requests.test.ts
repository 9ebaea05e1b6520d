import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { RequestLogFile } from '../../../src/simulate/server/request-log-file.ts';
import { SitesWeb } from '../../../src/simulate/sites/sites-web.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';
import { judgeRequests, type RequestVerdict } from '../../soak/system/judge-requests.ts';
import type { Interruption } from '../../soak/system/soak-run.ts';

const web = new SitesWeb({ sitesPerShape: 1, pagesPerSite: 12 }, 8000);
const HOST = 0;
const [FIRST, SECOND] = web.links(0).map(({ to }) => new URL(web.url(to)).pathname);
const MINUTE = 60_000;

type Asked = readonly [target: string, arrive: number, took: number, complete?: boolean];

function judge(requests: readonly Asked[], interruptions: readonly Interruption[]): RequestVerdict {
  using folder = temporaryFolder();
  const path = join(folder.path, 'requests.jsonl');
  const log = new RequestLogFile(path, web);
  for (const [target, arrive, took, complete = true] of requests) {
    log.add({
      ...{ arrive, done: arrive + took, host: HOST, target, located: web.locate(HOST, target), status: 200, bytes: 0 },
      ...{ method: 'GET', agent: '', connection: 1, complete, protocol: 'http/1.1', conditional: false },
    });
  }
  log.close();
  return judgeRequests(path, join(folder.path, 'none'), { interruptions, revisitMinMs: 60 * MINUTE });
}

function killed(at: number, underWay: number): Interruption {
  return { kind: 'killed', from: at, at, underWay };
}

describe('requests made again', () => {
  it('after a kill or a stop are counted against what was under way', () => {
    const { refetched, underWay, beyondUnderWay, repeated } = judge(
      [
        [FIRST, 1000, 100],
        [FIRST, 5000, 100],
        [SECOND, 9000, 100],
        [SECOND, 15_000, 100],
      ],
      [killed(2000, 3), { kind: 'stopped', from: 9050, at: 10_100, underWay: 2 }],
    );
    assert.deepEqual(refetched, { killed: 1, stopped: 1 });
    assert.deepEqual(underWay, { killed: 3, stopped: 2 });
    assert.deepEqual(beyondUnderWay, []);
    assert.deepEqual(repeated, []);
  });

  it('are a fault where nothing was under way', () => {
    const asked: Asked[] = [
      [FIRST, 1000, 100],
      [FIRST, 5000, 100],
    ];
    assert.equal(judge(asked, [killed(2000, 0)]).beyondUnderWay.length, 1);
    assert.equal(judge(asked, [{ kind: 'stopped', from: 2000, at: 3000, underWay: 0 }]).beyondUnderWay.length, 1);
  });

  it('have no cause where nothing interrupted them, or long after the page was settled', () => {
    const asked: Asked[] = [
      [FIRST, 1000, 100],
      [FIRST, 20 * MINUTE, 100],
    ];
    assert.equal(judge(asked, []).repeated.length, 1);
    assert.equal(judge(asked, [killed(19 * MINUTE, 5)]).repeated.length, 1);
    assert.deepEqual(judge(asked, [killed(2000, 5)]).repeated, []);
  });

  it('are due where the connection was cut before', () => {
    const { refetched, repeated } = judge(
      [
        [FIRST, 1000, 100, false],
        [FIRST, 20_000, 100],
      ],
      [killed(10_000, 5)],
    );
    assert.deepEqual(refetched, { killed: 0, stopped: 0 });
    assert.deepEqual(repeated, []);
  });
});
