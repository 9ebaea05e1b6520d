import { openIndexOf } from './open-index.ts';

/** Takes documents out of the index of a folder. */
export async function removeDocuments(folder: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await using opened = await openIndexOf(folder);
  for (const id of ids) opened.index.remove(id);
  await opened.index.commit(opened.index.place);
}
