import type { Finding } from './findings.ts';
import type { ToldDate } from './metadata-record.ts';
import type { PageKind } from './texts-of-page.ts';
import { type DateReading, dateInPath, findDate, readDate, type WrittenDate } from './written-date.ts';

export interface ChosenDates {
  readonly published?: ToldDate;
  readonly modified?: ToldDate;
}

export interface DateSources {
  readonly published: readonly Finding[];
  readonly modified: readonly Finding[];
  /** Path of the page's URL. */
  readonly path: string;
  readonly reading: DateReading;
  /** An article that only says when it was changed was published then, or not long before. */
  readonly kind: PageKind;
  /** Dates in the text of the page, asked for only where nobody told any. */
  readonly inText: () => readonly Finding[];
  readonly updatesInText: () => readonly Finding[];
}

const UPDATED =
  /(?:updated|modified|aktualisiert|geändert|mis à jour|modifié|actualizado|atualizad[oa]|aggiornato|bijgewerkt|uppdaterad|opdateret|aktualizacja|обновлен)\P{L}{0,3}(?:\p{L}{1,3}\P{L}{1,2})?$/iu;
/** How heavy a date in the path of the URL is. */
const PATH_WEIGHT = 71;
const DAY = 86_400_000;

export function chooseDates(sources: DateSources): ChosenDates {
  const { reading } = sources;
  let modified = firstDate(sources.modified, reading, 1);
  const inPath = dateInPath(sources.path);
  const told = firstDate(sources.published, reading, inPath === undefined ? 1 : PATH_WEIGHT);
  let published = inPath === undefined || told === undefined ? told : onLocalDay(told, inPath);
  if (published === undefined && inPath !== undefined) {
    // The same day told with its time is better.
    const sameDay = datesOf(sources.published, reading).find(({ day }) => day === inPath.day);
    published = sameDay ?? { value: inPath.time, day: inPath.day, source: 'url' };
  }
  published ??= firstDate(sources.inText(), reading, 1);
  if (published === undefined) {
    modified ??= firstDate(sources.updatesInText(), reading, 1);
    if (sources.kind === 'article') published = modified;
  }
  return {
    ...(published === undefined ? {} : { published }),
    ...(modified === undefined ? {} : { modified }),
  };
}

/** A time in UTC may lie on the neighbour of the day that its author means; the path of the URL tells which. */
function onLocalDay(told: ToldDate, inPath: WrittenDate): ToldDate {
  return Math.abs(Date.parse(told.day) - inPath.time) === DAY ? { ...told, day: inPath.day } : told;
}

function firstDate(found: readonly Finding[], reading: DateReading, least: number): ToldDate | undefined {
  for (const finding of found) {
    if (finding.weight < least) return undefined;
    const date = dateOf(finding.value, reading);
    if (date !== undefined) return { value: date.time, day: date.day, source: finding.source };
  }
  return undefined;
}

function datesOf(found: readonly Finding[], reading: DateReading): ToldDate[] {
  return found.flatMap(({ value, source }) => {
    const date = dateOf(value, reading);
    return date === undefined ? [] : [{ value: date.time, day: date.day, source }];
  });
}

/** The first date in a text; one that is called an update gives way to another. */
function dateOf(text: string, reading: DateReading): WrittenDate | undefined {
  const first = readDate(text, reading);
  if (first === undefined || !('start' in first)) return first;
  const { start, end } = first as WrittenDate & { start: number; end: number };
  if (!UPDATED.test(text.slice(0, start))) return first;
  return findDate(text, end, reading) ?? first;
}
