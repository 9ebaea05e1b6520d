const IS_LONG = process.env.TEST_LONG !== undefined;

/**
 * How many cases a property tries. Every run of the tests tries an eighth of them, the same each time; `npm run test:long` tries all, others in
 * each run.
 */
export function propertyRuns(all: number): number {
  return quickOrLong(Math.ceil(all / 8), all);
}

/** How large a test is: in every run of the tests, and in `npm run test:long`. */
export function quickOrLong<T>(quick: T, long: T): T {
  return IS_LONG ? long : quick;
}

/** Options of a test that costs much for what few use: in `npm run test:long` alone. `reason`: why it is skipped anyway, such as a missing server. */
export function onlyLong(reason?: string): { readonly skip: string | false } {
  return { skip: reason ?? (IS_LONG ? false : 'with npm run test:long') };
}
