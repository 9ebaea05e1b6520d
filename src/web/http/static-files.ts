import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Reply } from './reply.ts';

export interface StaticFile {
  readonly type: string;
  readonly body: Uint8Array;
  readonly etag: string;
}

const FILES: Readonly<Record<string, string>> = {
  'style.css': 'text/css; charset=utf-8',
  'components.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
  'crawls.css': 'text/css; charset=utf-8',
  'crawls.js': 'text/javascript; charset=utf-8',
  'dashboard.css': 'text/css; charset=utf-8',
  'report.css': 'text/css; charset=utf-8',
  'dashboard.js': 'text/javascript; charset=utf-8',
};

/** By the path under which each is served. Only these: no path of a request ever becomes a path of the disk. */
export function readStaticFiles(): ReadonlyMap<string, StaticFile> {
  return new Map(Object.entries(FILES).map(([name, type]) => [`/${name}`, readStaticFile(name, type)]));
}

/** One of the files in `assets/`. */
export function readStaticFile(name: string, type: string): StaticFile {
  const body = readFileSync(new URL(`../assets/${name}`, import.meta.url));
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { type, body, etag };
}

export function staticReply(file: StaticFile, ifNoneMatch: string | undefined): Reply {
  const headers = { 'content-type': file.type, etag: file.etag, 'cache-control': 'no-cache' };
  const held = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (held?.some((tag) => tag === file.etag || tag === '*')) return { status: 304, headers, body: '' };
  return { status: 200, headers, body: file.body };
}
