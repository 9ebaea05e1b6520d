import { OrbweaverError } from '../base/errors.ts';

/** How much may be asked for: as visits per page and day, or as requests per day whatever the number of pages. */
export type Budget = { readonly visitsPerPageAndDay: number } | { readonly requestsPerDay: number };

const MOST = 1e9;

/** Reads `0.1`, `10%` (visits per page and day) or `500/day` (requests per day). */
export function parseBudget(text: string): Budget {
  const [, number, unit] = /^\s*(\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+)\s*(%|\/\s*day)?\s*$/i.exec(text) ?? [];
  const value = Number(number);
  if (number === undefined || !(value > 0) || value > MOST) {
    throw new OrbweaverError('USAGE', `--budget holds ${JSON.stringify(text)}, which is no budget above 0.`, {
      remedy:
        'Give visits per page and day, such as 0.1 or 10%, or requests per day, such as 500/day; several with commas.',
    });
  }
  if (unit === undefined) return { visitsPerPageAndDay: value };
  return unit === '%' ? { visitsPerPageAndDay: value / 100 } : { requestsPerDay: value };
}

export function visitsPerPageAndDay(budget: Budget, pages: number): number {
  return 'visitsPerPageAndDay' in budget ? budget.visitsPerPageAndDay : budget.requestsPerDay / Math.max(1, pages);
}
