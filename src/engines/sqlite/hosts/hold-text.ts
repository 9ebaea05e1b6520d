import type { Hold } from '../../../contracts/crawl-task.ts';

/** The reason for a hold as the column `hold_why` has it: its kind, where it has one, and a colon come first. */
export function writeHold(hold: Hold | undefined): string | null {
  if (hold === undefined) return null;
  return hold.kind === undefined ? hold.why : `${hold.kind}: ${hold.why}`;
}

export function readHold(text: string): Hold {
  const [, kind, why] = /^(busy|unreachable): (.*)$/s.exec(text) ?? [];
  return kind === undefined ? { why: text } : { kind: kind as NonNullable<Hold['kind']>, why };
}
