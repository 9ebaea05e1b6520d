import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * When a process began, in the system's own words; undefined where there is no such process. Numbers of processes are given out again:
 * number and beginning together name one. Where the system does not tell, the number alone has to do.
 */
export function processStart(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'linux') {
    try {
      // The name of the program stands in brackets, and may hold anything.
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\)/s, '').trim().split(' ');
      // A process that nobody has asked about its end: it does nothing any more.
      return fields[0] === 'Z' ? undefined : fields[19];
    } catch {
      return undefined;
    }
  }
  if (process.platform === 'win32') return '';
  const asked = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5000 });
  return asked.status === 0 ? asked.stdout.trim() : '';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
