import type { UsageFacts } from '../../contracts/content/usage-facts.ts';
import { type PathPattern, pathOf, pathPattern } from './path-pattern.ts';
import { NOTHING_SAID, shown } from './usage-preferences.ts';

const MAX_LENGTH = 1_000_000;
const MAX_RULES = 5000;

/** A /.well-known/tdmrep.json. To be kept by whoever asks for many pages. */
export interface TdmRules {
  of(url: string): UsageFacts;
}

/** Reads the file of the TDM Reservation Protocol: the first rule whose location matches counts. What is no such file says nothing. */
export function readTdmRules(json: string): TdmRules {
  const rules: { readonly pattern: PathPattern; readonly says: UsageFacts }[] = [];
  for (const rule of rulesOf(json)) {
    const { location, 'tdm-reservation': reservation, 'tdm-policy': policy } = rule;
    if (typeof location !== 'string' || rules.length >= MAX_RULES) continue;
    // Some write locations without the slash that every path has.
    const pattern = pathPattern(/^[/*]/.test(location) ? location : `/${location}`);
    const says = tdmReservation(text(reservation), text(policy), `tdmrep.json ${location}`);
    rules.push({ pattern, says });
  }
  return {
    of(url) {
      const path = pathOf(url);
      return rules.find(({ pattern }) => pattern.matches(path))?.says ?? NOTHING_SAID;
    },
  };
}

/** The two properties of the protocol, from a file, header fields or META tags. Values other than 0 and 1 are as if unset. */
export function tdmReservation(
  reservation: string | undefined,
  policy: string | undefined,
  source: string,
): UsageFacts {
  const value = reservation?.trim();
  if (value !== '0' && value !== '1') return NOTHING_SAID;
  const place = policy?.trim() ?? '';
  const said = [shown(source, `tdm-reservation: ${value}`)];
  if (value === '0') return { tdm: 'allowed', said };
  if (place === '') return { tdm: 'disallowed', said };
  return { tdm: 'disallowed', tdmPolicy: place.slice(0, 2000), said: [...said, shown(source, `tdm-policy: ${place}`)] };
}

function rulesOf(json: string): Readonly<Record<string, unknown>>[] {
  if (json.length > MAX_LENGTH) return [];
  try {
    const parsed: unknown = JSON.parse(json.charCodeAt(0) === 0xfeff ? json.slice(1) : json);
    const list = Array.isArray(parsed) ? parsed : [parsed];
    return list.filter((rule) => typeof rule === 'object' && rule !== null);
  } catch {
    return [];
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
