import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folder of a public data set beside the checkout, or undefined where it is absent. */
export function corpus(name: string): string | undefined {
  const folder = fileURLToPath(new URL(`../../shared/corpora/${name}`, import.meta.url));
  return existsSync(folder) ? folder : undefined;
}

/** For `{ skip }` of a test: false where the data set is there, else the reason that the runner prints. */
export function skipWithout(name: string): string | false {
  return corpus(name) === undefined ? `data set ${name} is not beside the checkout (../shared/corpora/${name})` : false;
}
