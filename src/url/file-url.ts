import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CanonicalUrl } from '../contracts/url.ts';
import { canonicalEscapes, standsInPath } from './percent-escapes.ts';

const START = 'file:///';

/** Whether a canonical URL names a file of this machine. */
export function isFileUrl(url: string): boolean {
  return url.startsWith(START);
}

/** `file:///path`: no host, no query, no fragment; a folder ends with a slash. Undefined where it names another machine. */
export function fileForm(parsed: URL): string | undefined {
  if (parsed.hostname !== '') return undefined;
  return `file://${canonicalEscapes(parsed.pathname, standsInPath)}`;
}

/** Of an absolute path; a folder is told by its trailing slash. */
export function fileUrlOf(path: string): CanonicalUrl {
  return fileForm(pathToFileURL(path)) as CanonicalUrl;
}

/** The path that a canonical URL stands for; undefined where no path of this system is written so. Never throws. */
export function pathOfFileUrl(url: string): string | undefined {
  if (!isFileUrl(url)) return undefined;
  try {
    const path = fileURLToPath(url);
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}
