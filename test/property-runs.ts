/**
 * How many cases a property tries. Every run of the tests tries a third of them, the same each time; `npm run test:long` tries all, others in
 * each run.
 */
export function propertyRuns(all: number): number {
  return process.env.TEST_LONG === undefined ? Math.ceil(all / 3) : all;
}
