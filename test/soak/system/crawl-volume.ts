import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync } from 'node:fs';

/**
 * The disk of the crawl: a file system of its own in memory, where the machine allows to mount one, so that it can be
 * filled to the last byte; else a plain folder, whose process is forbidden to let files grow.
 */
export class CrawlVolume {
  readonly path: string;
  readonly kind: 'tmpfs' | 'folder';
  readonly #megabytes: number;

  constructor(path: string, megabytes: number) {
    this.path = path;
    this.#megabytes = megabytes;
    mkdirSync(path, { recursive: true });
    this.kind = mount(path, megabytes) ? 'tmpfs' : 'folder';
  }

  /** From now on every write fails: with ENOSPC on a file system of its own, else with EFBIG for the process. */
  fill(pid: number): void {
    if (this.kind === 'folder') {
      execFileSync('prlimit', ['--pid', String(pid), '--fsize=1']);
      return;
    }
    for (;;) {
      // What is written meanwhile makes the smaller size impossible: then it is tried again.
      const { blocks, bfree, bsize } = statfsSync(this.path);
      if (remount(this.path, `${(blocks - bfree) * bsize}`)) return;
    }
  }

  empty(pid: number | undefined): void {
    if (this.kind === 'tmpfs') remount(this.path, `${this.#megabytes}m`);
    else if (pid !== undefined) execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited']);
  }

  /** Everything on it is gone. */
  remove(): void {
    if (this.kind === 'tmpfs') execFileSync('umount', ['--lazy', this.path]);
    rmSync(this.path, { recursive: true, force: true });
  }
}

function mount(path: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'orbweaver-soak', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function remount(path: string, size: string): boolean {
  try {
    execFileSync('mount', ['-o', `remount,size=${size}`, path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
