import { list } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { duration, integer, oneOf, text, truth } from '../scalar-kinds.ts';

const ignorePattern = text(
  'a pattern as in .gitignore',
  (raw) => (raw.trim() === '' || raw.trim().startsWith('#') ? undefined : raw.trim()),
  '<pattern>',
);

/** Folders of this machine as seeds. */
export const filesSettings = {
  filesExclude: setting(
    list(ignorePattern, 'line'),
    [],
    `Files and folders of local folders that are left out, as in a .gitignore at the top of each folder: \`*.log\`, \`/build/\`. \`!\` before a
    pattern takes back an earlier one. Applies besides .gitignore and .orbweaverignore.`,
  ),
  filesGitignore: setting(
    truth,
    true,
    'Leave out of local folders what a .gitignore in them leaves out. A .orbweaverignore always counts.',
  ),
  filesHidden: setting(truth, false, 'Read hidden files and folders, whose names begin with a dot, as well.'),
  filesSafe: setting(
    truth,
    true,
    `Leave keys, password stores, mail stores, browser profiles, version control, installed packages, caches and half-made downloads out of local
    folders. The list: docs/files.md.`,
  ),
  filesQuiet: setting(
    duration({ max: 60_000 }),
    500,
    'A file that was written within this time is not read yet: whoever writes it may not be done.',
  ),
  filesWatch: setting(
    truth,
    true,
    'In a continuous crawl, notice changes in local folders when they happen. When off, `files-sweep` finds them.',
  ),
  filesSweep: setting(
    duration({ min: 1000, max: 30 * 86_400_000 }),
    600_000,
    'In a continuous crawl, how often local folders are gone through as a whole, for what watching has missed.',
  ),
  filesAtOnce: setting(integer({ min: 1, max: 64 }), 4, 'Most files that are read at once.'),
  filesPriority: setting(
    oneOf('low', 'normal'),
    'low',
    'A crawl with local folders runs at low priority: it has the processor where nobody else needs it.',
  ),
  filesPauseOn: setting(
    list(oneOf('battery', 'load'), 'comma'),
    [],
    `When no files are read for a while: \`battery\`, while the machine runs on it (Linux); \`load\`, while more is to be done than there are
    processors. Pages of the web are fetched all the same.`,
  ),
};
