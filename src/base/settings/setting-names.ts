import type { SettingKey } from './schema.ts';

/** The one word for a setting outside of code: `max-pages`, in the settings file and in messages. */
export function settingName(key: SettingKey): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

export function flagName(key: SettingKey): string {
  return `--${settingName(key)}`;
}

export const ENVIRONMENT_PREFIX = 'ORBWEAVER_';

export function environmentName(key: SettingKey): string {
  return ENVIRONMENT_PREFIX + settingName(key).replaceAll('-', '_').toUpperCase();
}

/** The known name that takes the fewest keystrokes to reach from `name`. */
export function nearestName(name: string, known: readonly string[]): string {
  let best = known[0];
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions, substitutions and swaps of neighbours, each counted as one. */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) cost = Math.min(cost, beforeLast[column - 2] + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length];
}
