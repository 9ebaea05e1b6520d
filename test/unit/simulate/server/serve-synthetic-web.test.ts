import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { serveSyntheticWeb } from '../../../../src/simulate/server/serve-synthetic-web.ts';

describe('serveSyntheticWeb', () => {
  test('serves until it is told to stop, and says so in JSON lines', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-serve-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const hostsFile = join(folder, 'hosts');
    for (const options of [
      { spec: { hosts: 2, pagesPerHost: 5 }, hostsFile },
      { demo: true, hostsFile },
    ]) {
      const lines: Record<string, unknown>[] = [];
      const stop = new AbortController();
      const served = serveSyntheticWeb(
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
      assert.equal(lines[0].hosts, options.demo ? 5 : 2);
      assert.equal(lines[1].requests, 0);
      assert.equal(typeof lines[1].cpuSeconds, 'number');
    }
  });
});
