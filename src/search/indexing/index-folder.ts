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
