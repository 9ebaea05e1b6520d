import { OrbweaverError } from '../base/errors.ts';
import type { RevisitPolicyName } from '../contracts/revisit.ts';
import { parseOrderMix } from '../rank/orders/order-mix.ts';

export const REVISIT_POLICIES: readonly RevisitPolicyName[] = ['uniform', 'proportional', 'freshness', 'age'];

/** Other names under which policies and orders are known. */
const ALSO_CALLED: ReadonlyMap<string, string> = new Map([
  ['optimal', 'freshness'],
  ['freshness-optimal', 'freshness'],
  ['age-optimal', 'age'],
  ['breadth', 'breadth-first'],
  ['best', 'best-first'],
]);

export interface NamedMethods {
  readonly policies?: readonly RevisitPolicyName[];
  readonly orders?: readonly string[];
}

/** What `--policy` and `--order` name. Either takes names of both kinds, for no name means two things. */
export function namedMethods(
  policyNames: readonly string[] | undefined,
  orderNames: readonly string[] | undefined,
): NamedMethods {
  const policies: RevisitPolicyName[] = [];
  const orders: string[] = [];
  for (const [flag, names] of [['--policy', policyNames] as const, ['--order', orderNames] as const]) {
    for (const name of names ?? []) {
      const called = ALSO_CALLED.get(name.toLowerCase()) ?? name.toLowerCase();
      const policy = REVISIT_POLICIES.find((one) => one === called);
      if (policy !== undefined) policies.push(policy);
      else orders.push(orderNamed(called, name, flag));
    }
    if (names !== undefined && names.length === 0) {
      throw new OrbweaverError('USAGE', `${flag} names nothing.`, { remedy: `Leave ${flag} out to compare all.` });
    }
  }
  return {
    ...(policies.length === 0 ? {} : { policies: [...new Set(policies)] }),
    ...(orders.length === 0 ? {} : { orders: [...new Set(orders)] }),
  };
}

/** The parts of a mix are joined by +, because commas part the orders. */
function orderNamed(called: string, name: string, flag: string): string {
  const mix = called.replaceAll('+', ',');
  if (isPlainOrder(mix)) return mix;
  try {
    parseOrderMix(mix);
    return mix;
  } catch (cause) {
    const why = cause instanceof OrbweaverError ? cause.remedy : undefined;
    throw new OrbweaverError('USAGE', `${flag}: ${JSON.stringify(name)} is neither a re-visit policy nor an order.`, {
      remedy: `Policies: ${REVISIT_POLICIES.join(', ')}. ${why?.replaceAll(',NAME', '+NAME') ?? ''}`.trim(),
      cause,
    });
  }
}

/** Orders that are no mix of evidence. */
export function isPlainOrder(order: string): boolean {
  return order === 'breadth-first' || order === 'depth-first' || order === 'random';
}
