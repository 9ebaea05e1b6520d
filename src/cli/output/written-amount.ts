export { writtenDuration } from '../../base/written-duration.ts';

/** Amounts for reading: short, and no more exact than they are. */
export function writtenCount(count: number): string {
  if (!Number.isFinite(count)) return 'unlimited';
  const whole = Math.round(count);
  if (whole < 1000) return String(whole);
  const unit = 10 ** (Math.floor(Math.log10(whole)) - 1);
  return (Math.round(whole / unit) * unit).toLocaleString('en');
}

/** "1 page", "12 pages": exact. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** "87 %" of a share from 0 to 1. */
export function percent(share: number, digits = 0): string {
  return `${(share * 100).toFixed(digits)} %`;
}

export function writtenBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  let amount = bytes;
  let at = 0;
  while (amount >= 999.5 && at < units.length - 1) {
    amount /= 1000;
    at++;
  }
  return `${amount < 9.95 && at > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[at]}`;
}
