/** "3.1 times the mean", for words that explain. */
export function timesTheMean(value: number, mean: number): string {
  const times = mean > 0 ? value / mean : 1;
  return `${times >= 10 ? Math.round(times) : Math.round(10 * times) / 10} times the mean`;
}
