import { OrbweaverError } from '../../base/errors.ts';

/** The value of a flag that counts something and is no setting. */
export function wholeNumber(flag: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new OrbweaverError(
    'USAGE',
    `${flag} is ${JSON.stringify(text)}, but takes a whole number from ${min} to ${max}.`,
    {
      remedy: `Leave ${flag} out for its default.`,
    },
  );
}
