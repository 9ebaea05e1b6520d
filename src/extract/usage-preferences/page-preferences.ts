import type { UsageFacts } from '../../contracts/content/usage-facts.ts';
import { readContentSignal } from './content-signal.ts';
import { readContentUsage } from './content-usage.ts';
import type { RobotsPreferences } from './robots-preferences.ts';
import { readRobotsMeta, readRobotsTag } from './robots-tags.ts';
import { type TdmRules, tdmReservation } from './tdm-reservation.ts';
import { combinePreferences } from './usage-preferences.ts';

/** Everything that may speak of the use of one document. */
export interface PreferenceSources {
  readonly url: string;
  /** Our product token. */
  readonly agent: string;
  /** The robots.txt of its origin. */
  readonly robots?: RobotsPreferences;
  /** The /.well-known/tdmrep.json of its origin. */
  readonly tdmRules?: TdmRules;
  /** Names and values of the answer's header fields, in turn. */
  readonly rawHeaders?: readonly string[];
  /** Names and contents of the document's META tags; others than those that speak of use may be among them. */
  readonly metas?: readonly (readonly [name: string, content: string])[];
}

/**
 * The preferences for one document. Within the TDM Reservation Protocol the more specific source replaces the other: META
 * tags, then header fields, then the file. All other statements stand side by side, and the strictest counts. Never throws.
 */
export function pagePreferences(sources: PreferenceSources): UsageFacts {
  const { url, agent, robots, tdmRules, rawHeaders = [], metas = [] } = sources;
  const statements: UsageFacts[] = [];
  if (robots !== undefined) statements.push(robots.of(url));
  for (const value of valuesOf(rawHeaders, 'content-signal'))
    statements.push(readContentSignal(value, 'header Content-Signal'));
  // Several fields of one name are one dictionary, in which the last member of a key counts.
  const usage = valuesOf(rawHeaders, 'content-usage').join(', ');
  if (usage !== '') statements.push(readContentUsage(usage, 'header Content-Usage'));
  for (const value of valuesOf(rawHeaders, 'x-robots-tag')) statements.push(readRobotsTag(value, agent));
  for (const [name, content] of metas) statements.push(readRobotsMeta(name, content, agent));
  const inPage = tdmReservation(metaOf(metas, 'tdm-reservation'), metaOf(metas, 'tdm-policy'), 'META');
  const [reservation] = valuesOf(rawHeaders, 'tdm-reservation');
  const [policy] = valuesOf(rawHeaders, 'tdm-policy');
  const inHeader = tdmReservation(reservation, policy, 'header');
  const inFile = tdmRules?.of(url);
  const tdm = [inPage, inHeader, inFile].find((statement) => statement?.tdm !== undefined);
  if (tdm !== undefined) statements.push(tdm);
  return combinePreferences(statements);
}

function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at].toLowerCase() === name) values.push(rawHeaders[at + 1]);
  }
  return values;
}

function metaOf(metas: readonly (readonly [string, string])[], wanted: string): string | undefined {
  return metas.find(([name]) => name.trim().toLowerCase() === wanted)?.[1];
}
