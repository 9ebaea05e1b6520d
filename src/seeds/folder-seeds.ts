import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { OrbweaverError } from '../base/errors.ts';
import type { CanonicalUrl } from '../contracts/url.ts';
import { fileUrlOf, isFileUrl, pathOfFileUrl } from '../url/file-url.ts';
import { hasPublicSuffix } from '../url/public-suffix.ts';

/** The URL that stands for a folder or a file which the user has named: links in its path are resolved once and for all. */
export function rootUrlOf(path: string): CanonicalUrl {
  let real: string;
  try {
    real = realpathSync(fullPath(path));
    const found = statSync(real);
    if (found.isDirectory()) return fileUrlOf(real.endsWith('/') ? real : `${real}/`);
    if (found.isFile()) return fileUrlOf(real);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' || code === 'ENOTDIR' ? 'it does not exist' : `it cannot be read (${code})`;
    throw new OrbweaverError('SEED_INVALID', `${path} cannot be crawled: ${why}.`, {
      remedy: 'Name a folder or a file that is there, such as ./docs, or a URL.',
      cause,
    });
  }
  throw new OrbweaverError('SEED_INVALID', `${path} cannot be crawled: it is neither a folder nor a regular file.`, {
    remedy: 'Name a folder or a file.',
  });
}

/** The paths of those seeds that are folders or files of this machine. */
export function rootsOf(seeds: readonly string[]): string[] {
  return seeds.filter(isFileUrl).flatMap((url) => {
    const path = pathOfFileUrl(url);
    if (path === undefined) return [];
    return [path.length > 1 && /[/\\]$/.test(path) ? path.slice(0, -1) : path];
  });
}

/** Whether a text that stands where a URL could is a path beyond doubt. */
export function isPath(text: string): boolean {
  if (/^\.{0,2}[/\\]/.test(text) && !text.startsWith('//')) return true;
  return text === '.' || text === '..' || text === '~' || text.startsWith('~/') || /^[a-z]:[/\\]/i.test(text);
}

/** Whether it is the bare name of a folder or file: "docs" could be a host as well, but there is such a folder. */
export function isLocalName(text: string): boolean {
  // "example.org" is a host, whatever lies here; a host is told by its top-level domain, or by its port.
  const [first] = text.split(/[/\\]/);
  if (text === '' || first.includes(':') || first.endsWith('.') || hasPublicSuffix(first)) return false;
  return exists(text);
}

/** Whether there is a folder or file of this name. */
export function exists(path: string): boolean {
  try {
    const found = statSync(fullPath(path));
    return found.isDirectory() || found.isFile();
  } catch {
    return false;
  }
}

function fullPath(path: string): string {
  return resolve(path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path);
}
