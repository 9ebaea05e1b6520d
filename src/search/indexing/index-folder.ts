import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** One crawl is one folder; these are the places of its index. */
export function indexFolder(folder: string): string {
  return join(folder, 'index');
}

export function linksFolder(folder: string): string {
  return join(indexFolder(folder), 'links');
}

/** Where the links are put aside for the moment in which others take their place. */
export function formerLinksFolder(folder: string): string {
  return join(indexFolder(folder), 'links.old');
}

/** Where an index is rebuilt beside the one that answers. */
export function workshopFolder(folder: string): string {
  return join(indexFolder(folder), 'rebuild');
}

/** The index of pictures, films and sounds; absent where none are described. */
export function mediaFolder(folder: string): string {
  return join(indexFolder(folder), 'media');
}

/** From now on pictures are described: also by a later `orbweaver index`, until the folder is deleted. */
export function wantMedia(folder: string): void {
  mkdirSync(mediaFolder(folder), { recursive: true });
}

export function hasMedia(folder: string): boolean {
  return existsSync(mediaFolder(folder));
}
