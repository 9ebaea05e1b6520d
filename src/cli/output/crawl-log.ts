import { OrbweaverError } from '../../base/errors.ts';
import type { Settings } from '../../base/settings/schema.ts';
import { EventLog } from '../../observe/log/event-log.ts';

/** Where programs read what happens; undefined where people do. */
export function openCrawlLog({ log, logLevel }: Pick<Settings, 'log' | 'logLevel'>): EventLog | undefined {
  return log === 'json' ? new EventLog((line) => process.stderr.write(line), logLevel) : undefined;
}

/** Whether a command line or the environment asks for it; of a command that failed before its settings were known. */
export function wantsJsonLog(argv: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const at = argv.findLastIndex((word) => word === '--log' || word.startsWith('--log='));
  const given = at === -1 ? env.ORBWEAVER_LOG : argv[at].slice('--log='.length) || argv[at + 1];
  return given?.trim().toLowerCase() === 'json';
}

/** An error that ends the command, as a line of the log. */
export function logError(error: unknown): void {
  const { message } = error instanceof Error ? error : { message: String(error) };
  const known = error instanceof OrbweaverError;
  new EventLog((line) => process.stderr.write(line), 'debug').tell('error', 'error', {
    code: known ? error.code : 'INTERNAL',
    message,
    ...(known && error.remedy !== undefined ? { remedy: error.remedy } : {}),
    ...(known ? {} : { stack: error instanceof Error ? error.stack : undefined }),
  });
}
