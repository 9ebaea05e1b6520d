import type { Settings } from './settings/schema.ts';

/** The names by which sites address a crawler, as one text: "Orbweaver-News,Orbweaver" listens to the second where a site does not name the first. */
export function robotsAgentOf({
  robotsAgent,
  robotsFallback,
}: Pick<Settings, 'robotsAgent' | 'robotsFallback'>): string {
  return robotsFallback === '' ? robotsAgent : `${robotsAgent},${robotsFallback}`;
}

/** Those names in their order. A User-Agent string, which may have commas of its own, is one name. */
export function robotsNames(agent: string): readonly string[] {
  return /^[a-z_-]+(?:,[a-z_-]+)+$/i.test(agent) ? agent.split(',') : [agent];
}
