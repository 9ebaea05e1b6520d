import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Path from the root, with slashes -> text. The rules are functions of this alone, so that they can be tried on a made-up repository. */
export type FileTexts = ReadonlyMap<string, string>;

export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/[/\\]$/, '');

/** Not part of the repository, or not written by hand. */
const PASSED_OVER = new Set(['.git', 'node_modules', 'dist', 'orbweaver-demo', 'my-crawl']);

/** The files of the checkout whose names end in one of `endings`. */
export function readRepository(endings: readonly string[], root = ROOT): FileTexts {
  const texts = new Map<string, string>();
  for (const path of listFiles(root)) {
    if (endings.some((ending) => path.endsWith(ending))) texts.set(path, readFileSync(join(root, path), 'utf8'));
  }
  return texts;
}

/** All paths of the checkout, in order. */
export function listFiles(root = ROOT, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => !PASSED_OVER.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      return entry.isDirectory() ? listFiles(root, path) : [path];
    });
}

export function inFolder(texts: FileTexts, ...folders: readonly string[]): FileTexts {
  return new Map([...texts].filter(([path]) => folders.some((folder) => path.startsWith(`${folder}/`))));
}
