/** What the head of an answer says of its body: a HEAD is compared with it, where a server gives no validators. */
export interface BodySigns {
  /** Fields that say what kind of body it is, and what may be done with it; one text. */
  readonly fields: string;
  /** Content-Length: of the body with its content coding. */
  readonly length: number;
  /** A digest of the body, as the header has it. */
  readonly digest?: string;
  /** Visits in a row that were settled by HEAD since these came with a body. */
  readonly looks?: number;
}
