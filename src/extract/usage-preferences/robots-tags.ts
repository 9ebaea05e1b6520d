import { robotsNames } from '../../base/robots-names.ts';
import type { Preference, UsageFacts } from '../../contracts/content/usage-facts.ts';
import { NOTHING_SAID, shown, type Use } from './usage-preferences.ts';

/** Directives of META robots and X-Robots-Tag that speak of use; they can only take away. */
const FORBIDS: ReadonlyMap<string, readonly Use[]> = new Map([
  ['noindex', ['search']],
  ['none', ['search']],
  ['noai', ['aiTrain', 'aiImages']],
  ['noimageai', ['aiImages']],
]);

/** Directives with a value: what follows their colon is no name of an agent's own. */
const WITH_VALUE = new Set(['unavailable_after', 'max-snippet', 'max-image-preview', 'max-video-preview']);

/** One META tag whose name is `robots` or our own; others are not for us. */
export function readRobotsMeta(name: string, content: string, agent: string): UsageFacts {
  const addressee = name.trim().toLowerCase();
  if (addressee !== 'robots' && !robotsNames(agent.toLowerCase()).includes(addressee)) return NOTHING_SAID;
  return read(content, undefined, `META ${addressee}`);
}

/** One X-Robots-Tag field: `name:` hands what follows to that agent, until another name. */
export function readRobotsTag(value: string, agent: string): UsageFacts {
  return read(value, agent.toLowerCase(), 'X-Robots-Tag');
}

function read(text: string, agent: string | undefined, source: string): UsageFacts {
  const found: Partial<Record<Use, Preference>> = {};
  let ours = true;
  for (const [, word, colon] of text.slice(0, 4000).matchAll(/([^\s,;:"']+)\s*(:?)/g)) {
    const name = word.toLowerCase();
    const uses = FORBIDS.get(name);
    if (uses !== undefined) {
      if (ours) for (const use of uses) found[use] = 'disallowed';
    } else if (colon !== '' && agent !== undefined && !WITH_VALUE.has(name) && !/^\d/.test(name)) {
      ours = name === '*' || name === 'robots' || robotsNames(agent).includes(name);
    }
  }
  return Object.keys(found).length === 0 ? NOTHING_SAID : { ...found, said: [shown(source, text)] };
}
