import { OrbweaverError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-word.ts';

/** Of a crawl by its name for people, and the flag by which commands read it. */
export function notStored(
  url: string,
  { name, flag }: { readonly name: string; readonly flag: string },
): OrbweaverError {
  return new OrbweaverError('URL_NOT_FOUND', `No copy of ${url} is stored in ${name}.`, {
    remedy: `To see why: orbweaver explain ${shellWord(url)} ${flag}`,
  });
}
