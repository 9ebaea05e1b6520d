/** Where the text of a document comes from: the archive of a crawl, or the store of imported documents. */
export interface TextSource {
  /**
   * The stored text; undefined where there is none. `fetchedAt`: of the copy that the index holds, which may be older than the
   * newest one.
   */
  text(id: string, fetchedAt?: number): Promise<string | undefined>;
  /** What that copy says of itself, shown where none of the words stand in its text. */
  description?(id: string, fetchedAt?: number): Promise<string | undefined>;
}
