/** A document whose facts, and perhaps anchors, are others than its segment holds. */
export interface DocumentChange {
  readonly rank: number;
  readonly cluster: number;
  /** Absent where the anchors are the same. */
  readonly anchors?: { readonly sum: number; readonly lengthByte: number };
}
