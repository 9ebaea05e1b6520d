import { posix } from 'node:path';
import type { FileTexts } from './repository.ts';

interface Mention {
  readonly target: string;
  readonly line: number;
}

/**
 * Links of Markdown documents that lead nowhere: to a file, folder or heading that does not exist.
 * Links to other sites are not followed.
 */
export function deadLinks(documents: FileTexts, files: readonly string[]): string[] {
  const places = new Set(files.flatMap((file) => [file, ...foldersOf(file)]));
  const dead: string[] = [];
  for (const [document, text] of documents) {
    for (const { target, line } of linksOf(text)) {
      if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(target)) continue;
      const [path, anchor] = splitAnchor(target);
      const file =
        path === '' ? document : posix.normalize(posix.join(posix.dirname(document), path)).replace(/\/$/, '');
      const linked = documents.get(file);
      if (!places.has(file)) dead.push(`${document}:${line}: ${target}: there is no ${file}`);
      else if (anchor !== undefined && linked !== undefined && !anchorsOf(linked).has(anchor)) {
        dead.push(`${document}:${line}: ${target}: ${file} has no heading #${anchor}`);
      }
    }
  }
  return dead;
}

/** Source files named in back quotes (`crawl/conductor.ts`) that no file of the repository bears, or ends with. */
export function unknownFileNames(documents: FileTexts, files: readonly string[]): string[] {
  return [...documents].flatMap(([document, text]) =>
    quotedFileNames(text)
      .filter(({ target }) => !files.some((file) => file === target || file.endsWith(`/${target}`)))
      .map(({ target, line }) => `${document}:${line}: there is no ${target}`),
  );
}

/** Pages of docs/ that comments of the source point at, but that do not exist. */
export function deadPointers(sources: FileTexts, files: readonly string[]): string[] {
  const known = new Set(files);
  return [...sources].flatMap(([file, text]) =>
    text
      .split('\n')
      .flatMap((content, at) =>
        [...content.matchAll(/\bdocs\/[\w./-]+\.md\b/g)]
          .filter(([page]) => !known.has(page))
          .map(([page]) => `${file}:${at + 1}: there is no ${page}`),
      ),
  );
}

/** Inline links and images, reference definitions, href and src of HTML; code is passed over. */
export function linksOf(markdown: string): Mention[] {
  const found: Mention[] = [];
  const pattern =
    /\]\(\s*<?([^)\s>]*)>?(?:\s+(?:"[^"]*"|'[^']*'))?\s*\)|^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?|\b(?:href|src)="([^"]*)"/gm;
  for (const { text, line } of proseLines(markdown)) {
    for (const match of text.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, '').matchAll(pattern)) {
      const target = match[1] ?? match[2] ?? match[3];
      if (target !== '') found.push({ target, line });
    }
  }
  return found;
}

/** The anchors that GitHub makes of the headings, and those set by hand. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const { text } of proseLines(markdown)) {
    for (const match of text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(match[1]);
    const heading = /^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/.exec(text)?.[1];
    if (heading === undefined) continue;
    const slug = slugOf(heading);
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(heading: string): string {
  return heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

function quotedFileNames(markdown: string): Mention[] {
  return proseLines(markdown).flatMap(({ text, line }) =>
    [...text.matchAll(/`([\w./-]+\.(?:ts|cjs))`/g)].map((match) => ({
      target: match[1].replace(/^(?:\.\.?\/)+/, ''),
      line,
    })),
  );
}

/** Lines outside fenced blocks and comments. */
function proseLines(markdown: string): { readonly text: string; readonly line: number }[] {
  const lines: { text: string; line: number }[] = [];
  let fence: string | undefined;
  for (const [at, text] of markdown.split('\n').entries()) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(text)?.[1];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined && mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length)
      fence = undefined;
    else if (fence === undefined) lines.push({ text, line: at + 1 });
  }
  return lines;
}

function foldersOf(file: string): string[] {
  const folders: string[] = ['.'];
  for (let at = posix.dirname(file); at !== '.'; at = posix.dirname(at)) folders.push(at);
  return folders;
}

function splitAnchor(target: string): [string, string | undefined] {
  const at = target.indexOf('#');
  return at < 0 ? [decodeURI(target), undefined] : [decodeURI(target.slice(0, at)), decodeURI(target.slice(at + 1))];
}
