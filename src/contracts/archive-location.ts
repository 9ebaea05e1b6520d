/** Where a record lies: one gzip member (or more) of a WARC file. */
export interface ArchiveLocation {
  readonly file: string;
  /** Of the response (or revisit) record. */
  readonly offset: number;
  readonly length: number;
  /** File lengths after this put (all records of the visit, index line included): what a restart keeps. */
  readonly fileEnd: number;
  readonly indexEnd: number;
}
