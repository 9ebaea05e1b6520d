import type { Finding } from './findings.ts';
import type { Told } from './metadata-record.ts';

const MAX_SUBJECTS = 50;
const DATE = /^\D{0,12}\d{1,4}[.\s/-]+(?:\d{1,2}|\p{L}+)[.,\s/-]+\d{2,4}$|^\p{L}+ \d{1,2}, \d{4}$/u;
const NO_SUBJECT =
  /^(?:home|startseite|start|accueil|inicio|tags?|schlagw(?:orte|örter)|categor(?:y|ies)|kategorien?|uncategorized|allgemein|more|mehr|posted in|filed under|news tags|alle|all|you are here|sie sind hier|»|›|\/|>|#)\s*:?$/i;

/** Tags or categories of the most believable source that has any; lists in one text are taken apart. */
export function chooseSubjects(found: readonly Finding[]): Told<string>[] {
  for (const { source, weight } of found) {
    if (weight <= 0) break;
    const seen = new Map<string, Told<string>>();
    for (const finding of found) {
      if (finding.source !== source || finding.weight !== weight) continue;
      for (const subject of subjectsIn(
        finding.value,
        !source.startsWith('rel') && !source.startsWith('class breadcrumb'),
      )) {
        const key = subject.toLowerCase();
        if (!seen.has(key) && seen.size < MAX_SUBJECTS) seen.set(key, { value: subject, source });
      }
    }
    if (seen.size > 0) return [...seen.values()];
  }
  return [];
}

function subjectsIn(text: string, lists: boolean): string[] {
  const parts = lists ? text.split(text.includes(';') ? /\s*;\s*/ : /\s*,\s*/) : [text];
  return parts
    .map((part) =>
      part
        .replace(/^\s*(?:#|tags?:|schlagwörter:|schlagworte:|kategorien?:|categor(?:y|ies):)\s*|\s*[,;|]\s*$/gi, '')
        .trim(),
    )
    .filter(
      (part) =>
        part.length > 1 && part.length <= 100 && !NO_SUBJECT.test(part) && !(/\d/.test(part) && DATE.test(part)),
    );
}
