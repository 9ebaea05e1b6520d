/** A rule of the scope: of sites with a folder for each language only the English one. Pages of it that are named "guide" come first. */
import type { Plugin } from '../src/index.ts';

const LANGUAGE = /^\/([a-z]{2})(?:-[a-z]{2})?\//i;

export default {
  name: 'one-language',
  api: 1,
  filter({ url }) {
    const language = LANGUAGE.exec(new URL(url).pathname)?.[1].toLowerCase() ?? 'en';
    return language === 'en' || `its folder is that of ${language}`;
  },
  evidence: ({ anchor }) => (/\bguide\b/i.test(anchor) ? 3 : 0),
} satisfies Plugin;
