/** Where the text of a document comes from: the archive of a crawl, or the store of imported documents. */
export interface TextSource {
  /** The stored text; undefined where there is none. */
  text(id: string): Promise<string | undefined>;
  /** What the document says of itself, shown where none of the words stand in its text. */
  description?(id: string): Promise<string | undefined>;
}
