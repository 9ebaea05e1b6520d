import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

const LAUNCHER = fileURLToPath(new URL('../../../bin/orbweaver.cjs', import.meta.url));

for (const signal of ['SIGINT', 'SIGTERM'])
  test(`${signal} while a crawl is being loaded ends it in order`, { skip: process.platform === 'win32' }, () => {
    using folder = temporaryFolder();
    const early = join(folder.path, 'early.cjs');
    // After the launcher has run, and before any module of the command is there.
    writeFileSync(early, `process.nextTick(() => process.kill(process.pid, '${signal}'));`);
    const crawl = ['crawl', 'http://127.0.0.1:9/', '--dir', join(folder.path, 'crawl'), '--allow-private'];
    const { status, signal: endedBy } = spawnSync(process.execPath, ['--require', early, LAUNCHER, ...crawl]);
    assert.deepEqual([status, endedBy], [130, null]);
  });
