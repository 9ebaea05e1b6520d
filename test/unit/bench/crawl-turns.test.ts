import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CrawlTurn, CrawlTurns } from '../../../bench/harness/crawl-turns.ts';

/** 'T': stopped. */
function stateOf(pid: number): string | undefined {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
}

const skip = process.platform === 'linux' ? false : 'reads /proc';

test('crawls take turns: while one goes on the others are stopped, and their times do not pass', { skip }, async () => {
  const began = Date.now();
  const turns = new CrawlTurns(2, 50);
  let wereStopped = 0;
  const crawl = async (turn: CrawlTurn): Promise<number> => {
    await turn.begin();
    assert.equal(turn.secondsAt(began - 1000), 0);
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const pid = child.pid as number;
    let looks = 0;
    turn.follow([pid], () => looks / 20);
    while (looks < 20) {
      await sleep(10);
      if (stateOf(pid) === 'T') wereStopped++;
      else looks++;
    }
    turn.end();
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    await turn.othersEnded;
    return turn.used.wallSeconds;
  };
  const seconds = await Promise.all(turns.all.map(crawl));
  assert.ok(wereStopped > 0);
  for (const one of seconds) assert.ok(one > 0.1, `${one} s`);
  const all = (Date.now() - began) / 1000;
  assert.ok(seconds[0] + seconds[1] <= all + 0.01, `${seconds} of ${all} s`);
});
