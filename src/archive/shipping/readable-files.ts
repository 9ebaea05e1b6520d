import { archiveFiles, listFolder } from '../cdxj/cdxj-index.ts';
import { fileOfMarker } from './shipped-markers.ts';

/** The archive files that can be read: those in the folder, and those that were deleted after they had been shipped. */
export async function readableFiles(folder: string): Promise<string[]> {
  const shipped = (await listFolder(folder)).flatMap((name) => fileOfMarker(name) ?? []);
  return [...new Set([...(await archiveFiles(folder)), ...shipped])].sort();
}
