import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CrawlOperation, RecordedOperation } from '../../src/contracts/crawl-control.ts';
import type { HostKey } from '../../src/contracts/url.ts';
import { FolderControl } from '../../src/crawl/control/folder-control.ts';
import type { SyntheticWeb } from '../../src/simulate/model/synthetic-web.ts';
import { startSyntheticWeb, type WebServer } from '../../src/simulate/server/web-server.ts';
import { callProgram } from '../called-program.ts';
import { onlyLong } from '../property-runs.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/orbweaver.cjs', import.meta.url));
/** Generous: others may need the machine. */
const PATIENCE_MS = 250_000;
/** Long enough for several requests of a crawl that does not obey. */
const QUIET_MS = 700;

/** A crawl in a process of its own, steered from this one, and killed with SIGKILL after every operation. */
describe('A crawl that is steered from another process and killed after each operation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-control-'));
  let web: WebServer<SyntheticWeb>;
  let child: ChildProcess | undefined;
  let control: FolderControl;

  before(async () => {
    web = await startSyntheticWeb({
      ...{ seed: 3, hosts: 3, pagesPerHost: 400, pageBytes: [500, 1500] },
      ...{ crawlDelaySeconds: 0, retryAfterSeconds: 0, slowRobotsMs: 0, robots: { broken: 0 } },
    });
    await begin();
    await until(() => web.log.length > 10, 'the crawl asks for pages');
    control = new FolderControl(folder);
  });

  after(async () => {
    await kill();
    control?.[Symbol.dispose]();
    await web?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  async function begin(): Promise<void> {
    const args = [
      ...['crawl', ...web.origins, '--dir', folder, '--scope', 'any', '--allow-private', '--quiet', '--no-index'],
      ...['--workers', '0', '--delay', '30ms', '--delay-factor', '0', '--sitemaps', 'off', '--concurrency', '8'],
      ...Object.entries(web.hostsMap()).flatMap(([name, address]) => ['--hosts', `${name}=${address}`]),
    ];
    child = spawn(process.execPath, [LAUNCHER, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  }

  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  }

  async function again(): Promise<void> {
    await kill();
    await begin();
    await until(() => control.view().running, 'the next run has the folder');
  }

  /** Asks, then kills the crawl at once: whether it had taken the operation up must not matter. */
  async function askAndKill(operation: CrawlOperation): Promise<RecordedOperation> {
    const recorded = control.ask(operation, 'api');
    await again();
    return recorded;
  }

  async function taken({ id }: RecordedOperation): Promise<RecordedOperation> {
    await until(() => control.operation(id)?.takenAt !== undefined, `operation ${id} is taken up`);
    return control.operation(id) as RecordedOperation;
  }

  async function requestsWithin(ms: number, count = () => web.log.length): Promise<number> {
    const from = count();
    await setTimeout(ms);
    return count() - from;
  }

  /** What was under way may still come in, on a busy machine late; a crawl that does not obey is never quiet for so long. */
  async function untilFewer(requests: number, what = 'it asks for nothing', count?: () => number): Promise<void> {
    await until(async () => (await requestsWithin(QUIET_MS, count)) < requests, what);
  }

  const hostOf = (place: number): HostKey => new URL(web.origins[place]).host as HostKey;
  const requestsTo = (place: number): number => [...entries()].filter(({ host }) => host === place).length;
  function* entries() {
    for (let at = 0; at < web.log.length; at++) yield web.log.at(at);
  }

  test('paused, it asks for nothing, in this run and in the next', async () => {
    const { stdout } = await callProgram(['pause', '--dir', folder]);
    assert.match(stdout, /^Pause: paused\.$/m);
    await untilFewer(1);
    assert.match((await callProgram(['status', '--dir', folder])).stdout, /paused since/);
    await again();
    assert.equal(await requestsWithin(2 * QUIET_MS), 0, 'nor does a run that begins in a pause');
    assert.equal(control.view().isPauseTaken, true);
    assert.equal(control.view().running, true);
  });

  test('resumed, it goes on', async () => {
    const asked = web.log.length;
    await askAndKill({ kind: 'resume' });
    await until(() => web.log.length > asked + 5, 'it asks for pages again');
  });

  test('a host that is held is not asked, and is asked when it is open', async () => {
    const recorded = await askAndKill({ kind: 'host', host: hostOf(1), state: 'hold' });
    await taken(recorded);
    await untilFewer(1, 'the host is left alone', () => requestsTo(1));
    const before = requestsTo(1);
    const others = web.log.length;
    await until(() => web.log.length > others + 10, 'the other hosts are asked');
    assert.equal(requestsTo(1), before);
    const { stdout } = await callProgram(['status', '--dir', folder, '--hosts', '10']);
    assert.match(stdout, /held by hand/);
    await askAndKill({ kind: 'host', host: hostOf(1), state: 'open' });
    await until(() => requestsTo(1) > before, 'it is asked again');
  });

  test('settings hold for the run that follows a kill; patterns count for what waits already', async () => {
    await taken(await askAndKill({ kind: 'set', name: 'exclude', value: '*' }));
    const pages = (): number => [...entries()].filter(({ target }) => !target.endsWith('robots.txt')).length;
    await untilFewer(1, 'no page is asked for', pages);
    const asked = pages();
    await control.settled(control.ask({ kind: 'set', name: 'exclude', value: null }, 'api'), PATIENCE_MS);
    await until(async () => {
      // The run may have ended, with nothing left to ask for.
      if (child?.exitCode !== null) await begin();
      return pages() > asked + 5;
    }, 'what was refused comes in again');
  });

  test('slower, by another delay', onlyLong(), async () => {
    await taken(await askAndKill({ kind: 'set', name: 'delay', value: '3s' }));
    await untilFewer(4, 'one of each host at most');
    const recorded = control.ask({ kind: 'set', name: 'delay', value: null }, 'api');
    assert.equal((await taken(recorded)).outcome, 'as the run was started');
    assert.match((await callProgram(['set', '--dir', folder])).stdout, /Nothing was changed/);
  });

  test('URLs are submitted, and asked for once more', async () => {
    const url = `${web.origins[0]}submitted-by-a-user`;
    const outside = 'ftp://elsewhere.example/';
    assert.throws(() => control.ask({ kind: 'submit', urls: [outside] }, 'api'), /not an http or https URL/);
    const submitted = await askAndKill({ kind: 'submit', urls: [url] });
    assert.match((await taken(submitted)).outcome ?? '', /^(1 added|0 added, 1 known)$/);
    const times = (): number => [...entries()].filter(({ target }) => target === '/submitted-by-a-user').length;
    await until(() => times() > 0, 'what was submitted is asked for');
    const { stdout } = await callProgram(['explain', url, '--dir', folder]);
    assert.match(stdout, /push/);
    // A page that is not there is gone; once more, it is asked for.
    await until(async () => /404|gone/.test((await callProgram(['explain', url, '--dir', folder])).stdout), 'settled');
    const seen = times();
    const requeued = await askAndKill({ kind: 'requeue', urls: [url] });
    assert.match((await taken(requeued)).outcome ?? '', /asked for once more|waits already/);
    await until(() => times() > seen, 'it is asked for once more');
    const unknown = control.ask({ kind: 'requeue', urls: [`${web.origins[0]}never-heard-of`] }, 'api');
    assert.equal((await taken(unknown)).outcome, 'not known: submit it');
  });

  test('a stop ends this run, not the next', async () => {
    const ended = once(child as ChildProcess, 'close');
    const { stdout } = await callProgram(['stop', '--dir', folder]);
    assert.match(stdout, /^Stop: the run ends\.$/m);
    assert.deepEqual(await ended, [130, null]);
    assert.match((await callProgram(['stop', '--dir', folder])).stdout, /No crawl is running/);
    const asked = web.log.length;
    await begin();
    await until(() => web.log.length > asked + 3, 'the next run asks');
  });

  test('a limit that is reached ends the run', async () => {
    const ended = once(child as ChildProcess, 'close');
    control.ask({ kind: 'set', name: 'max-pages', value: '1' }, 'api');
    assert.deepEqual(await ended, [0, null]);
    assert.match((await callProgram(['status', '--dir', folder])).stdout, /limit: max-pages/);
    const asked = web.log.length;
    await begin();
    assert.deepEqual(await once(child as ChildProcess, 'close'), [0, null]);
    assert.equal(web.log.length, asked, 'the next run begins with it');
  });

  test('what cannot be is refused with the way that it can', async () => {
    const refused = async (...args: string[]): Promise<string> => {
      const { status, stderr } = await callProgram([...args, '--dir', folder]);
      assert.notEqual(status, 0);
      return stderr;
    };
    assert.match(await refused('set', 'user-agent', 'x'), /SETTING_INVALID: user-agent cannot change/);
    assert.match(await refused('set', 'delai', '1s'), /SETTING_UNKNOWN.*\n.*delay/);
    assert.match(await refused('set', 'delay', 'soon'), /SETTING_INVALID: delay/);
    assert.match(await refused('set', 'delay'), /USAGE/);
    assert.match(await refused('hold', 'a b'), /USAGE: a b is not a host/);
    assert.match(await refused('submit', 'example.org'), /USAGE/);
    assert.match(await refused('pause', '--store', 'postgres://x/'), /one by one, by their folders/);
    const nowhere = await callProgram(['pause', '--dir', join(folder, 'nowhere')]);
    assert.match(nowhere.stderr, /FOLDER_NOT_A_CRAWL/);
  });
});

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    assert.ok(performance.now() < end, `not in time: ${what}`);
    await setTimeout(20);
  }
}
