/** A span of time in UTC, ms since the epoch; `to` is the first moment after it. */
export interface DateRange {
  readonly from: number;
  readonly to: number;
}

/** The year, month or day that was written: 2026, 2026-05, 2026-05-04 (also with / or . between). */
export function dateRange(written: string): DateRange | undefined {
  const [whole, y, m, d] = /^(\d{4})(?:[-/.](\d{1,2})(?:[-/.](\d{1,2}))?)?$/.exec(written.trim()) ?? [];
  if (whole === undefined) return undefined;
  const [year, month, day] = [Number(y), Number(m ?? 1), Number(d ?? 1)];
  const from = utc(year, month - 1, day);
  // A day that the month does not have would roll over into the next.
  if (month < 1 || month > 12 || day < 1 || new Date(from).getUTCMonth() !== month - 1) return undefined;
  if (d !== undefined) return { from, to: utc(year, month - 1, day + 1) };
  return { from, to: m === undefined ? utc(year + 1, 0, 1) : utc(year, month, 1) };
}

/** Date.UTC reads years below 100 as of the last century. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day);
}
