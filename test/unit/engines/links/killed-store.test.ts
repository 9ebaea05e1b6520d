import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SqliteLinkStore } from '../../../../src/engines/links/sqlite-link-store.ts';

const PROCESS = fileURLToPath(new URL('./committing-process.ts', import.meta.url));
const KILLS = 3;

/** Returns the last place that the process said it had committed. */
function runAndKill(folder: string, commits: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROCESS, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      if (said.split('\n').length > commits) child.kill('SIGKILL');
    });
    child.on('error', reject);
    child.on('close', () => resolve(Number(said.trim().split('\n').at(-1))));
  });
}

test('kill -9: what was committed is there, what was not is gone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-links-'));
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const said = await runAndKill(folder, 5 + 9 * kill);
      using store = new SqliteLinkStore(folder, { readOnly: true });
      const place = Number(store.place);
      assert.ok(place >= said, `${place} is committed, ${said} was said`);
      assert.equal(store.pages, place);
      const texts: string[] = [];
      for await (const { from, text } of store.inLinks('https://target.test/')) {
        assert.equal(text, `text ${from.split('/').at(-1)}`);
        texts.push(text);
      }
      assert.equal(new Set(texts).size, place);
      assert.equal(texts.length, place);
      assert.equal(store.outLinks(`https://a.test/${place}`), undefined);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
