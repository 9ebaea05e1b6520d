/** What a store says of an object. */
export interface ObjectFacts {
  readonly bytes: number;
  /** In hexadecimal digits; absent where the store keeps none. */
  readonly sha256?: string;
  /** Mostly the MD5 of the object. */
  readonly etag?: string;
}

/** What is sent. It is read again with every try. */
export interface ObjectBody {
  readonly bytes: number;
  readonly sha256: string;
  readonly md5: string;
  read(): AsyncIterable<Uint8Array>;
}

/** Objects under keys, as S3 keeps them. Every call is one request; failures are an `ObjectStoreFailure`. */
export interface ObjectStore {
  /** Undefined where there is none. */
  head(key: string): Promise<ObjectFacts | undefined>;
  /** `onlyNew`: false where there is one under this key already, which stays. */
  put(key: string, body: ObjectBody, onlyNew: boolean): Promise<boolean>;
  /** The bytes from `from` on, before `to`: fewer at the end of the object. Undefined where there is no object. */
  read(key: string, from: number, to: number): Promise<Buffer | undefined>;
  /** All of it; undefined where there is none. */
  stream(key: string): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Also where there is none. */
  remove(key: string): Promise<void>;
}

/** The store could not be asked, or said no. The message is for people, and holds no secret. */
export class ObjectStoreFailure extends Error {}
