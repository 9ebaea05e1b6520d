import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { Clock } from '../base/clock.ts';
import { OrbweaverError } from '../base/errors.ts';
import type { CrawlDraft, PlanPreview, PlanResult } from '../contracts/crawl-library.ts';
import { settingsPath } from '../crawl/crawl-folder.ts';
import { isFileUrl } from '../url/file-url.ts';
import type { DraftSettings } from './crawl-draft.ts';

export interface PlanPreviewsOptions {
  readonly command: readonly string[];
  readonly clock: Pick<Clock, 'now'>;
  readonly env?: NodeJS.ProcessEnv;
}

/** A look that somebody waits for: enough to tell ten pages from ten thousand. */
const REQUESTS = 40;
const LOOK_SECONDS = 20;
/** Starting, and saying what it found, on a machine that has other things to do. */
const MOST_MS = 90_000;
const AT_ONCE = 2;
/** Previews that are remembered; the oldest goes. */
const REMEMBERED = 50;
const MOST_OUTPUT = 4 * 1024 * 1024;

interface Job {
  preview: PlanPreview;
  /** Absent where nobody was asked. */
  readonly child?: ChildProcess;
}

/** Looks at what a crawl will come to, by `orbweaver plan` in a process of its own: bounded in time and number, and cancelled at will. */
export class PlanPreviews implements Disposable {
  readonly #options: PlanPreviewsOptions;
  readonly #jobs = new Map<string, Job>();

  constructor(options: PlanPreviewsOptions) {
    this.#options = options;
  }

  get(id: string): PlanPreview | undefined {
    return this.#jobs.get(id)?.preview;
  }

  /** Throws SEARCH_BUSY where others are being looked at. */
  start(draft: CrawlDraft, { seeds, file }: DraftSettings): PlanPreview {
    const looking = [...this.#jobs.values()].filter(({ preview }) => preview.state === 'looking');
    if (looking.length >= AT_ONCE) {
      throw new OrbweaverError('SEARCH_BUSY', 'Two previews are being made already.', {
        remedy: 'Wait for them to end, or cancel one.',
      });
    }
    const pages = seeds.filter((seed) => !isFileUrl(seed));
    if (pages.length === 0) return this.#withoutPages(draft);
    const folder = mkdtempSync(join(tmpdir(), 'orbweaver-preview-'));
    const { seed: _seed, ...settings } = file;
    writeFileSync(settingsPath(folder), stringify(settings));
    const { command, clock, env = process.env } = this.#options;
    const [program, ...words] = command;
    const limits = ['--sample', String(REQUESTS), '--sample-time', String(LOOK_SECONDS)];
    const child = spawn(program, [...words, 'plan', '--json', '--dir', folder, ...limits, '--', ...pages], {
      ...{ env, windowsHide: true, stdio: ['ignore', 'pipe', 'pipe'] },
      timeout: MOST_MS,
      killSignal: 'SIGKILL',
    });
    const id = randomUUID();
    const job: Job = { child, preview: { id, draft, state: 'looking', startedAt: clock.now() } };
    this.#remember(id, job);
    const [output, errors] = [collected(child.stdout), collected(child.stderr)];
    const end = (code: number | null, signal: string | null): void => {
      rmSync(folder, { recursive: true, force: true });
      if (job.preview.state === 'looking')
        job.preview = { ...job.preview, ...outcome(code, signal, output(), errors()) };
    };
    child.once('error', (error) => {
      job.preview = { ...job.preview, state: 'failed', problem: error.message };
    });
    child.once('close', end);
    return job.preview;
  }

  cancel(id: string): void {
    const job = this.#jobs.get(id);
    if (job?.preview.state !== 'looking') return;
    job.preview = { ...job.preview, state: 'cancelled' };
    job.child?.kill('SIGKILL');
  }

  [Symbol.dispose](): void {
    for (const id of this.#jobs.keys()) this.cancel(id);
  }

  /** Nobody is asked for a folder: it is read as it is. */
  #withoutPages(draft: CrawlDraft): PlanPreview {
    const id = randomUUID();
    const problem = 'Folders of this machine have no preview: they are read as they are.';
    const preview: PlanPreview = { id, draft, state: 'failed', startedAt: this.#options.clock.now(), problem };
    this.#remember(id, { preview });
    return preview;
  }

  #remember(id: string, job: Job): void {
    this.#jobs.set(id, job);
    for (const [oldest, { preview }] of this.#jobs) {
      if (this.#jobs.size <= REMEMBERED) return;
      if (preview.state !== 'looking') this.#jobs.delete(oldest);
    }
  }
}

function outcome(
  code: number | null,
  signal: string | null,
  output: string,
  errors: string,
): Pick<PlanPreview, 'state' | 'result' | 'problem'> {
  if (signal !== null) return { state: 'failed', problem: 'It took too long. The crawl itself has no such limit.' };
  if (code === 0) {
    try {
      return { state: 'done', result: JSON.parse(output) as PlanResult };
    } catch {
      return { state: 'failed', problem: 'What was found could not be read.' };
    }
  }
  // As the command says it: the code, what is wrong, what can be done.
  const told = errors
    .slice(errors.indexOf('orbweaver: '))
    .replace(/^orbweaver: [A-Z_]+: /, '')
    .trim();
  return { state: 'failed', problem: told === '' ? `It ended with ${code}.` : told };
}

function collected(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8');
  stream?.on('data', (piece: string) => {
    if (text.length < MOST_OUTPUT) text += piece;
  });
  return () => text;
}
