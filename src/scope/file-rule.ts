import { isFileUrl } from '../url/file-url.ts';
import { ADMIT, type Rule, refuse } from './rule.ts';

const NOT_WALKED = refuse('scope', 'files: only what was found in a folder of the crawl is read, whatever links to it');
const OUT_OF_FILES = refuse('scope', 'files: links of files to the web are not followed');

/**
 * Files come in from the walk through their folders and in no other way: no page, sitemap, redirect or push can name one. And files
 * lead nowhere else: who reads a folder does not tell the web which addresses stand in it.
 */
export function createFileRule(): Rule {
  return {
    name: 'files',
    forFiles: true,
    judge({ url, discovery: { how, from } }) {
      if (isFileUrl(url)) return how === 'folder' ? ADMIT : NOT_WALKED;
      return from !== undefined && isFileUrl(from) ? OUT_OF_FILES : ADMIT;
    },
  };
}
