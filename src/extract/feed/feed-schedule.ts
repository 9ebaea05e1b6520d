import { childPlaces, type FeedPlace, plainTextAt } from './feed-place.ts';

const periods: Readonly<Record<string, number>> = {
  hourly: 3_600,
  daily: 86_400,
  weekly: 604_800,
  monthly: 2_592_000,
  yearly: 31_536_000,
};

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export interface FeedSchedule {
  /** How long it may be cached, by its own word. */
  readonly ttlMinutes?: number;
  /** How often it changes, by its own word (sy:updatePeriod, sy:updateFrequency). */
  readonly updateSeconds?: number;
  /** Hours in GMT, 0 to 23, and days of the week in English, in which it asks not to be read. */
  readonly skipHours: readonly number[];
  readonly skipDays: readonly string[];
}

/** When a feed wants to be read: ttl, sy:updatePeriod, skipHours and skipDays. */
export class ScheduleReader {
  #ttl: number | undefined;
  #period: number | undefined;
  #frequency = 1;
  readonly #skipHours = new Set<number>();
  readonly #skipDays = new Set<string>();

  takeElement(place: FeedPlace): void {
    switch (place.name) {
      case 'ttl':
        this.#ttl = positive(plainTextAt(place)) ?? this.#ttl;
        break;
      case 'sy:updateperiod':
        this.#period = periods[plainTextAt(place).toLowerCase()] ?? this.#period;
        break;
      case 'sy:updatefrequency':
        this.#frequency = positive(plainTextAt(place)) ?? 1;
        break;
      case 'skiphours':
        for (const child of childPlaces(place)) this.#takeHour(plainTextAt(child));
        break;
      case 'skipdays':
        for (const child of childPlaces(place)) this.#takeDay(plainTextAt(child));
        break;
    }
  }

  schedule(): FeedSchedule {
    return {
      ...(this.#ttl === undefined ? {} : { ttlMinutes: this.#ttl }),
      ...(this.#period === undefined ? {} : { updateSeconds: Math.max(1, this.#period / this.#frequency) }),
      skipHours: [...this.#skipHours].sort((a, b) => a - b),
      skipDays: days.filter((day) => this.#skipDays.has(day)),
    };
  }

  /** RSS 0.91 counts from 1 to 24, its successors from 0 to 23: 24 is midnight in both. */
  #takeHour(text: string): void {
    if (/^\d{1,2}$/.test(text) && Number(text) <= 24) this.#skipHours.add(Number(text) % 24);
  }

  #takeDay(text: string): void {
    const day = days.find((name) => text.length >= 3 && name.toLowerCase().startsWith(text.toLowerCase()));
    if (day !== undefined) this.#skipDays.add(day);
  }
}

/** A whole number above zero and within reason. */
function positive(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) && value >= 1 && value <= 10_000_000 ? Math.trunc(value) : undefined;
}
