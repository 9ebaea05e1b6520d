import { hash32 } from '../model/seeded-hash.ts';
import type { EndlessName } from './sites-plan.ts';
import type { Vocabulary } from './vocabulary.ts';

const CALENDAR = /^\/calendar\/(\d{1,6})\/(\d\d)$/;
const MAZE = /^\/room\/([0-9a-f]{8})$/;

export interface EndlessPage {
  readonly title: string;
  readonly text: string;
  readonly links: readonly string[];
}

/** A page of a site without end; undefined for an address that is not one of its own. The home page is an entry, too. */
export function endlessPage(
  kind: EndlessName,
  seed: number,
  words: Vocabulary,
  target: string,
): EndlessPage | undefined {
  return kind === 'calendar' ? calendarPage(target) : mazePage(seed, words, target);
}

/** Every month names the next and the one before, and no month has an event. */
function calendarPage(target: string): EndlessPage | undefined {
  const found = target === '/' ? ['', '2026', '11'] : CALENDAR.exec(target);
  if (found === null) return undefined;
  const month = Number(found[1]) * 12 + Number(found[2]) - 1;
  const path = (other: number): string => {
    return `/calendar/${Math.floor(other / 12)}/${String((other % 12) + 1).padStart(2, '0')}`;
  };
  return {
    title: `Events of ${path(month).slice(10)}`,
    text: 'There are no events in this month. Choose another month, or come back later.',
    links: [path(month + 1), path(Math.max(0, month - 1)), path(month + 12)],
  };
}

/** Rooms with a text made on the spot and doors to other rooms: nobody has ever linked to the same room twice. */
function mazePage(seed: number, words: Vocabulary, target: string): EndlessPage | undefined {
  const room = target === '/' ? '00000000' : MAZE.exec(target)?.[1];
  if (room === undefined) return undefined;
  const number = Number.parseInt(room, 16);
  const doors = Array.from({ length: 5 }, (_, door) => hash32(seed, number, door, 331));
  return {
    title: words.title(number, 3),
    text: words.text(number, 0, 90),
    links: doors.map((door) => `/room/${door.toString(16).padStart(8, '0')}`),
  };
}
