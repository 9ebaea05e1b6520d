/** Writes gzip members, one per record, and collects them. The bytes of `parts` are valid until the next `clear`. */
export interface MemberWriter {
  /** Gives up what was written. */
  clear(): void;
  /** Of everything written since `clear`. */
  readonly length: number;
  /** Everything written since `clear`. */
  parts(): readonly Uint8Array[];
  /** A member of a few hundred bytes: heads and fields. */
  addSmall(pieces: readonly Uint8Array[]): void;
  /** A member with a body. */
  addLarge(pieces: readonly Uint8Array[]): void;
  /** A member with plain text, which is unlike the bodies around it. */
  addText(pieces: readonly Uint8Array[]): void;
  /** A member whose body is compressed already: another pass would cost time and gain nothing. The body is not copied. */
  addStored(head: Uint8Array, body: Uint8Array, tail: Uint8Array): void;
  /** A member made elsewhere. */
  addMade(member: Uint8Array): void;
}
