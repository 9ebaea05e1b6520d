import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { Deletions } from './deletions.ts';
import { readManifest } from './manifest.ts';
import type { NewestManifest } from './newest-manifest.ts';
import { segmentPath } from './segment-path.ts';
import type { SegmentHead } from './segment-writer.ts';

/** A manifest whose files are removed while they are read is followed by a newer one; so often it is looked for. */
const ATTEMPTS = 20;

/** How many documents the index of a folder holds, without opening it: for those who search elsewhere. */
export class CommittedCount {
  readonly #folder: string;
  readonly #newest: NewestManifest;
  #counted = { manifest: 0, documents: 0 };

  constructor(folder: string, newest: NewestManifest) {
    this.#folder = folder;
    this.#newest = newest;
  }

  documents(): number {
    for (let attempt = 1; ; attempt++) {
      const manifest = this.#newest.number();
      if (manifest === this.#counted.manifest) return this.#counted.documents;
      try {
        this.#counted = { manifest, documents: this.#count(manifest) };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS) throw error;
      }
    }
  }

  #count(manifest: number): number {
    let documents = 0;
    for (const { name, deletions } of readManifest(this.#folder, manifest).segments) {
      documents += readHead(segmentPath(this.#folder, name, 'documents')).documents;
      if (deletions !== undefined) documents -= new Deletions(readFileSync(join(this.#folder, deletions))).count;
    }
    return documents;
  }
}

function readHead(path: string): SegmentHead {
  const fd = openSync(path, 'r');
  try {
    const length = Buffer.alloc(4);
    readSync(fd, length, 0, 4, 0);
    const head = Buffer.alloc(length.readUInt32LE(0));
    readSync(fd, head, 0, head.length, 4);
    return JSON.parse(head.toString('utf8'));
  } finally {
    closeSync(fd);
  }
}
