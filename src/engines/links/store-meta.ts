/** What the store knows of itself; one value, written with every commit. */
export interface StoreMeta {
  readonly place?: unknown;
  readonly pages: number;
  readonly links: number;
  /** Number of the last visit. */
  readonly visits: number;
}
