import type { PageRecord } from '../../../contracts/page-store.ts';

/** Past visits, a line each, the oldest first. A history that has grown too long has lost its beginning, within a line maybe. */
export function parseHistory(text: string): PageRecord['history'] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}
