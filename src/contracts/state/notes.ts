/** Values that belong to the crawl as a whole, each under a name: the record of the last run, what was learnt. */
export interface Notes {
  read<T>(name: string): T | undefined;
  write(name: string, value: unknown): void;
}
