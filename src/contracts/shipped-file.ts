/** An object of a store, as the store has confirmed it. */
export interface ShippedObject {
  readonly key: string;
  readonly bytes: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** An archive file that lies in a store, and its index, whose lines are sorted there. */
export interface ShippedFile extends ShippedObject {
  /** The address of the store; without secrets. */
  readonly store: string;
  readonly index: ShippedObject;
}

/** Which archive files were shipped, and where to. */
export interface ShippedFiles {
  read(file: string): Promise<ShippedFile | undefined>;
  /** Durable when it resolves. */
  write(file: string, shipped: ShippedFile): Promise<void>;
  remove(file: string): Promise<void>;
}
