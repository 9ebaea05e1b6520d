/** ms since the epoch of a date as documents write it (2011-09-24, 2011-09-24T08:00:00.5+02:00); no zone means UTC. */
export function parseIsoDate(text: string): number | undefined {
  const found =
    /^\s*(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?\s*(Z|[+-]\d\d:?\d\d)?\s*$/i.exec(
      text,
    );
  if (found === null) return undefined;
  const [, year, month = '1', day = '1', hour = '0', minute = '0', second = '0', zone = 'Z'] = found;
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31 || Number(hour) > 24)
    return undefined;
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  if (zone.toUpperCase() === 'Z') return local;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return local - (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
