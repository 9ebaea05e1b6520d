import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { serveSimulatedWeb } from '../../../../src/simulate/server/serve-simulated-web.ts';
import { SITE_SHAPES } from '../../../../src/simulate/sites/sites-plan.ts';

const HOSTS = { synthetic: 2, sites: Object.keys(SITE_SHAPES).length, demo: 5 } as const;

describe('serveSimulatedWeb', () => {
  test('serves until it is told to stop, and says so in JSON lines', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-serve-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const hostsFile = join(folder, 'hosts');
    for (const options of [
      { spec: { hosts: 2, pagesPerHost: 5 }, hostsFile },
      { web: 'sites', spec: { sitesPerShape: 1, pagesPerSite: 10 }, hostsFile },
      { web: 'demo', hostsFile, nameServer: true },
    ] as const) {
      const lines: Record<string, unknown>[] = [];
      const stop = new AbortController();
      const served = serveSimulatedWeb(
        { ...options, port: 0 },
        {
          print(line) {
            lines.push(JSON.parse(line));
            if (lines.length > 1) return;
            const host = new URL(String(lines[0].serving)).hostname;
            assert.match(readFileSync(hostsFile, 'utf8'), new RegExp(`^127\\.0\\.0\\.1 ${host}\n`));
            stop.abort();
          },
        },
        stop.signal,
      );
      await served;
      assert.equal(lines.length, 2);
      assert.equal(lines[0].hosts, HOSTS[options.web ?? 'synthetic']);
      assert.equal(lines[1].requests, 0);
      assert.equal(typeof lines[1].cpuSeconds, 'number');
    }
  });

  test('a file that cannot be written is refused before anything listens', async () => {
    const print = (line: string): void => assert.fail(line);
    for (const name of ['logFile', 'hostsFile', 'certificateFile']) {
      const served = serveSimulatedWeb({ [name]: '/no-such-folder/file' }, { print }, AbortSignal.abort());
      await assert.rejects(served, { code: 'USAGE' });
    }
  });
});
