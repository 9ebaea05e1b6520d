import type { FileTexts } from './repository.ts';

/** Longer files in src are cut in two. */
export const MAX_LINES = 400;

/** A folder of src with more files than this wants sub-folders named after its stages. */
export const MAX_FILES = 30;

const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.test)?\.ts$/;
const FOLDER = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** Names for whatever fits nowhere else. */
const SAYS_NOTHING = /^(?:utils?|helpers?|common|misc)$/;

const OWN_FOLDERS = ['src', 'test', 'docs', 'bench', 'tools', 'bin', 'node_modules'];

/** Written so that this file does not break its own rule. */
const UNFINISHED = [
  { pattern: /\bTO[D]O\b/, what: 'unfinished work' },
  { pattern: /\bFIX[M]E\b/, what: 'unfinished work' },
  { pattern: /\.on[l]y\(/, what: 'a test that keeps the others from running' },
];

/** Files and folders whose names are not in kebab case or say nothing. */
export function badNames(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    const folders = path.split('/');
    const name = folders.pop() ?? '';
    const problems: string[] = [];
    if (name.endsWith('.ts') && !NAME.test(name)) problems.push(`${path}: file names are in kebab case`);
    if (!folders.every((folder) => FOLDER.test(folder))) problems.push(`${path}: folder names are in kebab case`);
    const words = [...folders, name.replace(/\..*$/, '')].flatMap((part) => part.split('-'));
    const empty = words.find((word) => SAYS_NOTHING.test(word));
    if (empty !== undefined) problems.push(`${path}: "${empty}" says nothing about what is in it`);
    return problems;
  });
}

export function longFiles(sources: FileTexts): string[] {
  return [...sources].flatMap(([file, text]) => {
    const lines = text.trimEnd().split('\n').length;
    return lines > MAX_LINES ? [`${file}: ${lines} lines, more than ${MAX_LINES}`] : [];
  });
}

/** Folders with more files than anybody takes in at a glance. */
export function largeFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].flatMap(([folder, files]) =>
    files > MAX_FILES ? [`${folder}: ${files} files, more than ${MAX_FILES}`] : [],
  );
}

export function unfinishedWork(sources: FileTexts): string[] {
  return eachLine(sources, (text) => UNFINISHED.find(({ pattern }) => pattern.test(text))?.what);
}

/** Variables of a module: state that two crawls in one process would share. */
export function moduleState(sources: FileTexts): string[] {
  return eachLine(sources, (text) =>
    /^(?:export )?(?:let|var)\b/.test(text) ? 'a variable of the module' : undefined,
  );
}

/** Paths that exist on one machine alone. `root` is where this checkout lies. */
export function machinePaths(texts: FileTexts, root: string): string[] {
  const patterns = [/(?<![\w.:/%-])\/(?:(?:home|Users)\/[\w.-]+|root)\/[\w.-]/, /\b[A-Za-z]:\\+Users\\/];
  const beside = root.replace(/\/[^/]*$/, '');
  const places = [...OWN_FOLDERS.map((folder) => `${root}/${folder}/`), `${beside}/shared/`];
  return eachLine(texts, (text) => {
    const found = patterns.some((pattern) => pattern.test(text)) || places.some((place) => text.includes(place));
    return found ? 'a path of one machine' : undefined;
  });
}

/** Imports of what costs much to load: base/node-http.ts has it for less. */
export function costlyImports(sources: FileTexts): string[] {
  return eachLine(sources, (text) =>
    /^(?:import (?!type\b)|\} from )(?:.* from )?'(?:node:)?https?';/.test(text)
      ? "loads the platform's fetch too"
      : undefined,
  );
}

/** Folders of src without a README.md. */
export function foldersWithoutReadme(paths: readonly string[]): string[] {
  const folders = new Set(
    paths.filter((path) => path.endsWith('.ts')).map((path) => path.split('/').slice(0, 2).join('/')),
  );
  return [...folders]
    .map((folder) => (folder.endsWith('.ts') ? 'src' : folder))
    .filter((folder, at, all) => all.indexOf(folder) === at && !paths.includes(`${folder}/README.md`))
    .map((folder) => `${folder} has no README.md`);
}

function eachLine(texts: FileTexts, problemOf: (text: string) => string | undefined): string[] {
  return [...texts].flatMap(([file, text]) =>
    text.split('\n').flatMap((content, at) => {
      const problem = problemOf(content);
      return problem === undefined ? [] : [`${file}:${at + 1}: ${problem}: ${content.trim().slice(0, 100)}`];
    }),
  );
}
