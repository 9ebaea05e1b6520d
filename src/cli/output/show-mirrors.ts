import { OrbweaverError } from '../../base/errors.ts';
import { readSwitches, writeSwitches } from '../../crawl/learning/switches.ts';
import { CrawlReader } from '../../crawl/report/crawl-reader.ts';
import { writeText } from './write-text.ts';

export function showMirrors(folder: string, flags: { json?: boolean; separate?: string; learn?: string }): void {
  using reader = new CrawlReader(folder);
  if (flags.separate !== undefined || flags.learn !== undefined) {
    turn(folder, flags);
    return;
  }
  const pairs = reader.learnedState()?.mirrors ?? [];
  if (flags.json === true) for (const pair of pairs) process.stdout.write(`${JSON.stringify(pair)}\n`);
  else if (pairs.length === 0) process.stdout.write('No host shows the pages of another.\n');
  else for (const { mirror, original, why } of pairs) writeText(`${mirror} -> ${original}\n  ${why}\n`);
}

function turn(folder: string, { separate, learn }: { separate?: string; learn?: string }): void {
  const switches = readSwitches(folder);
  const mirrors: Record<string, 'separate'> = { ...switches.mirrors };
  if (separate !== undefined) mirrors[originOf(separate)] = 'separate';
  if (learn !== undefined) delete mirrors[originOf(learn)];
  writeSwitches(folder, { ...switches, mirrors });
  process.stdout.write('Noted. A crawl that is running hears it within a second.\n');
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url !== null && url.origin !== 'null') return url.origin;
  throw new OrbweaverError('USAGE', `${text} is not an origin.`, { remedy: 'Write it as https://www.example.org.' });
}
