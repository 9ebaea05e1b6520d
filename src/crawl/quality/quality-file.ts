import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { qualityPath } from '../crawl-folder.ts';
import type { CrawlQuality } from './measure-quality.ts';

/** Raised with every change of what is kept. */
const VERSION = 1;

/** Keeps what was measured in the folder of the crawl. Throws what the disk says. */
export function writeQuality(folder: string, quality: CrawlQuality): void {
  const path = qualityPath(folder);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, `${JSON.stringify({ version: VERSION, ...quality })}\n`);
  renameSync(`${path}.part`, path);
}

/** What was last measured; undefined where nothing was, or where it cannot be read: it can be measured again. */
export function readQuality(folder: string): CrawlQuality | undefined {
  try {
    const { version, ...quality } = JSON.parse(readFileSync(qualityPath(folder), 'utf8'));
    return version === VERSION ? quality : undefined;
  } catch {
    return undefined;
  }
}
