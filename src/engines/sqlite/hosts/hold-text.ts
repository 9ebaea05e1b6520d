import type { Hold } from '../../../contracts/crawl-task.ts';

/** The reason for a hold as the column `hold_why` has it: its kind, where it has one, how often in a row, and a colon come first. */
export function writeHold(hold: Hold | undefined): string | null {
  if (hold === undefined) return null;
  const { kind, times, why } = hold;
  if (kind === undefined) return why;
  return times === undefined ? `${kind}: ${why}` : `${kind} ${times}: ${why}`;
}

export function readHold(text: string): Hold {
  const [, kind, times, why] = /^(busy|unreachable)(?: (\d+))?: (.*)$/s.exec(text) ?? [];
  if (kind === undefined) return { why: text };
  return { kind: kind as NonNullable<Hold['kind']>, why, ...(times === undefined ? {} : { times: Number(times) }) };
}
