import type { Kind } from './kind.ts';
import { duration, text } from './scalar-kinds.ts';

/** Three digits, or a class. Redirects and successes are no failures. */
export const failedStatus = text(
  'a status such as 403, or a class: 4xx, 5xx',
  (raw) => (/^[45](?:\d\d|xx)$/i.test(raw) ? raw.toLowerCase() : undefined),
  '<status>',
);

const MOST_RETRIES = 100;

export interface RetryRule {
  readonly times: number;
  /** Before the first retry; each further one waits twice as long. Absent: as the failure table says. */
  readonly waitMs?: number;
}

export const retryRule = plainNumbersToo(
  text(
    `how often, up to ${MOST_RETRIES}, and after which wait, such as 2 or 3/30s`,
    (raw) => (parseRetryRule(raw) === undefined ? undefined : raw),
    '<times/wait>',
  ),
);

export function parseRetryRule(raw: string): RetryRule | undefined {
  const parts = /^(\d{1,3})(?:\/(\S+))?$/.exec(raw);
  if (parts === null || Number(parts[1]) > MOST_RETRIES) return undefined;
  if (parts[2] === undefined) return { times: Number(parts[1]) };
  const wait = duration({ max: 86_400_000 }).read(parts[2], 'documented');
  return 'wrong' in wait ? undefined : { times: Number(parts[1]), waitMs: wait.value };
}

/** Settings files write 2 as a number. */
function plainNumbersToo(kind: Kind<string>): Kind<string> {
  return { ...kind, read: (raw, numbers) => kind.read(typeof raw === 'number' ? String(raw) : raw, numbers) };
}
