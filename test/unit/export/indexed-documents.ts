import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportFolder, ExportJob, ExportOutput, ExportSource } from '../../../src/contracts/export.ts';
import type { IndexedDocument } from '../../../src/contracts/search-index.ts';
import { createAnalyzer } from '../../../src/index/analysis/analyzer.ts';
import { openSegmentIndex } from '../../../src/index/segment-index.ts';

/** A folder with an index of documents, in segments as they are added; what is removed leaves a gap. */
export class IndexedFolder implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'orbweaver-export-'));

  async add(...segments: readonly (readonly (IndexedDocument | string)[])[]): Promise<void> {
    const options = { folder: join(this.folder, 'index'), analyze: createAnalyzer().analyze };
    await using index = await openSegmentIndex(options);
    for (const segment of segments) {
      for (const document of segment)
        if (typeof document === 'string') index.remove(document);
        else index.add(document);
      await index.commit();
    }
  }

  /** Of these pages alone, where some are named. */
  source(urls?: readonly string[]): ExportSource {
    const parts = {
      about: { name: 'test', seeds: [], folders: [this.folder] },
      filter: urls === undefined ? {} : { hosts: ['a.example'] },
      async *pages() {
        for (const url of urls ?? []) yield { url };
      },
    };
    return parts as unknown as ExportSource;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function documentOf(id: string, parts: Partial<IndexedDocument> = {}): IndexedDocument {
  return {
    ...{ id, title: '', headings: '', body: '', description: '', anchors: [] },
    facts: {
      ...{ host: new URL(id).host, mediaType: 'text/html', language: 'en', date: 0, fetchedAt: 0, cluster: 0 },
      ...{ spam: 0, rank: 0 },
    },
    ...parts,
  };
}

export function jobOf(options: ExportJob['options'] = {}): ExportJob {
  return { options, progress: () => {}, notice: () => {} };
}

/** A file in memory. */
export class HeldOutput implements ExportOutput {
  readonly isDue = false;
  readonly #pieces: Buffer[] = [];

  get bytes(): number {
    return this.contents.length;
  }

  get contents(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  async write(piece: Uint8Array | string): Promise<void> {
    this.#pieces.push(Buffer.from(piece as string));
  }

  async checkpoint(): Promise<void> {}
}

/** A folder in memory. */
export class HeldFolder implements ExportFolder {
  readonly isDue = false;
  readonly files = new Map<string, HeldOutput>();

  async file(path: string): Promise<HeldOutput & { close(): Promise<void> }> {
    const file = Object.assign(new HeldOutput(), { close: async () => {} });
    this.files.set(path, file);
    return file;
  }

  async rename(from: string, to: string): Promise<void> {
    const file = this.files.get(from);
    if (file !== undefined) this.files.set(to, file);
    this.files.delete(from);
  }

  async checkpoint(): Promise<void> {}
}
