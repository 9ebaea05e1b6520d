import type { UrlStore, UrlStoreWriter } from '../contracts/state/url-store.ts';
import { KeySorter } from './urls/key-sorter.ts';
import { readRunList } from './urls/store-files.ts';
import { UrlStoreReader } from './urls/url-store-reader.ts';
import { FileUrlStoreWriter } from './urls/url-store-writer.ts';

export { compareKeys, type Side } from './urls/merge-keys.ts';
export { domainPrefix, hostPrefix, keyOfUrl, urlOfKey } from './urls/url-key.ts';

/** Of URLs that are sorted in memory before they go to disk. */
const SORTED_BYTES = 64 * 1024 * 1024;

/** Opens a store of URLs to be read. Throws (`INPUT_INVALID`) where the folder holds none. */
export function openUrlStore(folder: string): UrlStore {
  return new UrlStoreReader(folder);
}

/** Opens a store to be added to, and makes it where there is none. Refused (`FOLDER_IN_USE`) while another process adds to it. */
export function openUrlStoreWriter(folder: string, maxBytes = SORTED_BYTES): UrlStoreWriter {
  return new FileUrlStoreWriter(folder, maxBytes);
}

export function isUrlStore(folder: string): boolean {
  return readRunList(folder) !== undefined;
}

/** Sorts any number of keys in bounded memory; what does not fit is written to `folder` for the time being. */
export function createKeySorter(folder: string, maxBytes = SORTED_BYTES): KeySorter {
  return new KeySorter(folder, maxBytes);
}
