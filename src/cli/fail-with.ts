import { OrbweaverError } from '../base/errors.ts';

/** Tells an error in one place and one form: code, what happened, what to do. */
export function failWith(error: unknown): void {
  if (error instanceof OrbweaverError) {
    process.stderr.write(`orbweaver: ${error.code}: ${error.message}\n`);
    if (error.remedy !== undefined) process.stderr.write(`  ${error.remedy}\n`);
    if (process.env.ORBWEAVER_TRACE !== undefined) process.stderr.write(`${error.stack}\n`);
    process.exitCode = error.exitCode;
    return;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `orbweaver: INTERNAL: ${text}\n  This is a fault in Orbweaver. Nothing that was settled is lost; the same command resumes.\n`,
  );
  process.exitCode = 70;
}
