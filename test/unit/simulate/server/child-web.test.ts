import assert from 'node:assert/strict';
import { get } from 'node:http';
import { describe, test } from 'node:test';
import { audit } from '../../../../src/simulate/audit/audit.ts';
import { truth } from '../../../../src/simulate/model/truth.ts';
import { startWebProcess } from '../../../../src/simulate/server/child-web.ts';

describe('startWebProcess', () => {
  test('serves from a process of its own, whose log and CPU can be had', async () => {
    const child = await startWebProcess(
      { seed: 8, hosts: 2, pagesPerHost: 20, pageBytes: [800, 2000] },
      { nameServer: true },
    );
    const { port, host } = new URL(child.origins[1]);
    assert.match(child.nameServer ?? '', /^127\.0\.0\.1:\d+$/);
    assert.deepEqual(Object.keys(child.hostsMap), ['h000.synthetic.test', 'h001.synthetic.test']);
    for (const path of ['/robots.txt', '/']) {
      const body = await new Promise<string>((resolve, reject) => {
        get({ host: '127.0.0.1', port, path, headers: { Host: host }, agent: false }, (response) => {
          let text = '';
          response.setEncoding('latin1');
          response.on('data', (part: string) => {
            text += part;
          });
          response.on('end', () => resolve(text));
        }).on('error', reject);
      });
      assert.equal(body, child.web.page(1, path).body);
    }
    const log = await child.log();
    assert.deepEqual(
      [...log].map((entry) => [entry.host, entry.target]),
      [
        [1, '/robots.txt'],
        [1, '/'],
      ],
    );
    const report = audit(log, truth(log.web, { seeds: [child.origins[1]] }), {
      complete: false,
      obeyCrawlDelay: false,
    });
    assert.ok(report.passed, report.failures.join());
    const early = await child.cpuSeconds();
    assert.ok(early > 0);
    await child.close();
    await child.close();
    assert.ok((await child.cpuSeconds()) >= early);
  });
});
