/**
 * Checks by the package registry that what is published with the product is still looked after: each package has had a release within
 * three years, and none was given up. Needs a network, so no test does it.
 * node tools/check-maintained.ts [--months 36]
 */
import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { readLockFile } from './lock-file.ts';

const MONTH_MS = (365.25 / 12) * 86_400_000;

const { values } = parseArgs({ options: { months: { type: 'string', default: '36' } } });
const run = promisify(execFile);
const packages = readLockFile(new URL('../package-lock.json', import.meta.url)).filter(({ dev }) => !dev);
const oldest = Date.now() - Number(values.months) * MONTH_MS;
let problems = 0;
for (const name of new Set(packages.map((one) => one.name))) {
  const { stdout } = await run('npm', ['view', name, 'time', 'deprecated', '--json']);
  const { time, deprecated } = withTime(JSON.parse(stdout));
  const releases = Object.entries(time).filter(([version]) => /^\d/.test(version));
  const newest = Math.max(...releases.map(([, at]) => Date.parse(at)));
  const isOld = !(newest >= oldest);
  if (isOld || deprecated !== undefined) problems++;
  const day = Number.isFinite(newest) ? new Date(newest).toISOString().slice(0, 10) : 'never';
  const said = deprecated ?? (isOld ? 'no release for too long' : '');
  console.log(`${isOld || deprecated !== undefined ? 'OLD ' : 'ok  '} ${day}  ${name}  ${said}`.trimEnd());
}
console.log(`${packages.length} packages, ${problems} problems`);
if (problems > 0) process.exitCode = 1;

/** With one field that is there, npm answers that field alone. */
function withTime(answer: Record<string, unknown>): { time: Record<string, string>; deprecated?: string } {
  return ('time' in answer ? answer : { time: answer }) as { time: Record<string, string>; deprecated?: string };
}
