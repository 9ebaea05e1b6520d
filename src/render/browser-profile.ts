import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const PREFIX = 'orbweaver-browser-';
const NOTE = 'browser.json';

/** What a crawl folder says of the browser that runs for it. */
interface BrowserNote {
  readonly profile: string;
  readonly pid: number;
}

/** A profile that nobody else has, gone with the browser. `owner`: whom the browser runs as, where that is not this user. */
export function makeProfile(owner?: number): string {
  const profile = mkdtempSync(join(tmpdir(), PREFIX));
  if (owner !== undefined) chownSync(profile, owner, owner);
  return profile;
}

/** Written before the browser is used, so that whoever comes after a kill finds what it left. */
export function noteBrowser(folder: string, note: BrowserNote): void {
  writeFileSync(join(folder, NOTE), JSON.stringify(note));
}

export function forgetBrowser(folder: string, profile: string): void {
  removeProfile(profile);
  rmSync(join(folder, NOTE), { force: true });
}

/** A run that was killed leaves its profile, and a browser that hung may not have noticed. Only what is surely ours is touched. */
export function removeLeftovers(folder: string): void {
  const note = readNote(folder);
  if (note === undefined) return;
  if (isOurProfile(note.profile)) {
    if (isBrowserOf(note)) {
      try {
        process.kill(note.pid, 'SIGKILL');
      } catch {
        // It ended in between.
      }
    }
    removeProfile(note.profile);
  }
  rmSync(join(folder, NOTE), { force: true });
}

function readNote(folder: string): BrowserNote | undefined {
  try {
    const { profile, pid } = JSON.parse(readFileSync(join(folder, NOTE), 'utf8')) as Partial<BrowserNote>;
    return typeof profile === 'string' && Number.isInteger(pid) ? { profile, pid: pid as number } : undefined;
  } catch {
    return undefined;
  }
}

/** A folder that only `makeProfile` makes: whatever else the note may name stays. */
function isOurProfile(profile: string): boolean {
  try {
    return basename(profile).startsWith(PREFIX) && realpathSync(dirname(profile)) === realpathSync(tmpdir());
  } catch {
    return false;
  }
}

/** Numbers of processes are given again: what it was started with must name the profile. */
function isBrowserOf({ pid, profile }: BrowserNote): boolean {
  if (pid <= 1) return false;
  try {
    const command =
      process.platform === 'linux'
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        : process.platform === 'win32'
          ? ''
          : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8', timeout: 5000 });
    return command.includes(`--user-data-dir=${profile}`);
  } catch {
    return false;
  }
}

/** Its helpers may still write for a moment. */
function removeProfile(profile: string): void {
  try {
    rmSync(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  } catch {
    // A file that cannot be removed now is no reason to end a crawl; the system clears its folder for temporary files.
  }
}
