/** A length of time for reading: short, and no more exact than it is. */
export function writtenDuration(ms: number): string {
  const seconds = ms / 1000;
  if (ms > 0 && ms < 95) return ms < 0.95 ? '< 1 ms' : `${Math.round(ms)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${(seconds / 3600).toFixed(1)} h`;
  return `${Math.round(seconds / 86_400).toLocaleString('en')} days`;
}
