import { isSessionParameter } from '../../url/session-ids.ts';
import { ADMIT, type Rule, refuse } from '../rule.ts';

const AMPERSAND = 0x26;
/** Shorter values are drawn by lot too seldom to tell. */
const SHORTEST_LOT = 16;
const FEWEST_OF_EACH = 3;

/** Filters upon filters: each page of a list offers the same list once more, with another condition. */
export function createParametersRule(max: number): Rule {
  return {
    name: 'trap-parameters',
    judge({ url }) {
      const query = url.indexOf('?');
      if (query === -1) return ADMIT;
      let count = 1;
      for (let i = query + 1; i < url.length; i++) if (url.charCodeAt(i) === AMPERSAND) count++;
      return count <= max ? ADMIT : refuse('trap', `trap-parameters ${max}: the query has ${count} parameters`);
    },
  };
}

/** Session ids under names that the canonical form does not know, and which make one page look like many. */
export function createSessionIdRule(): Rule {
  return {
    name: 'trap-session-ids',
    judge({ url }) {
      const start = url.indexOf('?');
      const semicolon = url.indexOf(';');
      if (start === -1 && semicolon === -1) return ADMIT;
      const from = semicolon === -1 ? start : start === -1 ? semicolon : Math.min(start, semicolon);
      for (let equals = url.indexOf('=', from); equals !== -1; equals = url.indexOf('=', equals + 1)) {
        const name = nameBefore(url, equals);
        if (!namesSession(name)) continue;
        const value = valueAfter(url, equals);
        // What the canonical form knows and kept was kept on purpose.
        if (isDrawnByLot(value) && !isSessionParameter(name, value))
          return refuse('trap', `trap-session-ids: the parameter ${name} holds what looks like a session id`);
      }
      return ADMIT;
    },
  };
}

function nameBefore(url: string, equals: number): string {
  let start = equals;
  while (start > 0 && !'&?;/'.includes(url[start - 1])) start--;
  return url.slice(start, equals);
}

function valueAfter(url: string, equals: number): string {
  let end = equals + 1;
  while (end < url.length && !'&;/?'.includes(url[end])) end++;
  return url.slice(equals + 1, end);
}

function namesSession(name: string): boolean {
  const lower = name.toLowerCase();
  return lower.includes('sess') || lower.endsWith('sid');
}

/** Letters and digits in a mixture that no word or number has. */
function isDrawnByLot(value: string): boolean {
  if (value.length < SHORTEST_LOT) return false;
  let digits = 0;
  let letters = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code >= 0x30 && code <= 0x39) digits++;
    else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) letters++;
    else return false;
  }
  return digits >= FEWEST_OF_EACH && letters >= FEWEST_OF_EACH;
}
