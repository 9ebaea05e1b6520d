/** A number for people: thousands apart, three digits that matter, few behind the point. */
export function plainNumber(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4;
  return value.toLocaleString('en-US', {
    minimumFractionDigits: Number.isInteger(value) ? 0 : digits,
    maximumFractionDigits: digits,
  });
}
