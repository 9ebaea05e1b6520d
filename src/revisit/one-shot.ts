import type { RevisitPolicy } from '../contracts/policies.ts';

/**
 * A crawl that ends: no URL is visited again once its visit has ended, well or badly. Retries are not visits; how often and
 * when a failure is tried again follows from its class, before any policy is asked.
 */
export const oneShot: RevisitPolicy = { nextVisit: () => undefined };
