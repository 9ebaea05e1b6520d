import { readW3cDate } from '../../../base/dates/w3c-date.ts';
import type { DocumentFacts } from '../document-builder.ts';
import type { ZipArchive } from '../packed/zip-archive.ts';
import { TextElements } from '../xml/text-elements.ts';
import { readXmlPart } from '../xml/xml-part.ts';

export interface Relationship {
  readonly id: string;
  /** The last step of its type: "hyperlink", "slide", "image". Transitional and strict documents differ before it. */
  readonly type: string;
  /** Name of a part, or an address where it is external. */
  readonly target: string;
  readonly external: boolean;
}

export type Relationships = ReadonlyMap<string, Relationship>;

const MAX_RELATIONSHIPS = 50_000;

/** What the part `name` refers to, by id. Targets are resolved against its folder. */
export function readRelationships(archive: ZipArchive, name: string): Relationships {
  const found = new Map<string, Relationship>();
  const slash = name.lastIndexOf('/') + 1;
  const part = `${name.slice(0, slash)}_rels/${name.slice(slash)}.rels`;
  const reader = new TextElements(
    () => {},
    (tag) => {
      const id = tag.get('Id');
      const target = tag.get('Target');
      if (tag.name !== 'Relationship' || id === undefined || target === undefined) return;
      const external = tag.get('TargetMode')?.toLowerCase() === 'external';
      const type = (tag.get('Type') ?? '').replace(/^.*\//, '');
      if (found.size < MAX_RELATIONSHIPS)
        found.set(id, { id, type, target: external ? target : partName(name.slice(0, slash), target), external });
    },
  );
  readXmlPart(archive, part, reader);
  return found;
}

/** The parts of one type, in the order in which they are listed. */
export function partsOfType(relationships: Relationships, ...types: string[]): string[] {
  const parts: string[] = [];
  for (const { type, target, external } of relationships.values())
    if (!external && types.includes(type)) parts.push(target);
  return parts;
}

/** The part with the text: the one that the package names, or the one where it usually stands. */
export function mainPart(archive: ZipArchive, usual: string): string | undefined {
  for (const name of partsOfType(readRelationships(archive, ''), 'officeDocument')) if (archive.has(name)) return name;
  return archive.has(usual) ? usual : undefined;
}

/** A path within the package: leading slash from the top, dots as in addresses. */
export function partName(folder: string, target: string): string {
  const path = target.startsWith('/') ? target.slice(1) : folder + target;
  const steps: string[] = [];
  for (const step of path
    .replaceAll('\\', '/')
    .replace(/[?#].*$/, '')
    .split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return decoded(steps.join('/'));
}

/** Title, authors, dates and so on from the core and the extended properties. */
export function readProperties(archive: ZipArchive, facts: DocumentFacts): void {
  const relationships = readRelationships(archive, '');
  const [core = 'docProps/core.xml'] = partsOfType(relationships, 'core-properties');
  const [extended = 'docProps/app.xml'] = partsOfType(relationships, 'extended-properties');
  const keywords: string[] = [];
  const authors: string[] = [];
  let subject: string | undefined;
  readXmlPart(
    archive,
    core,
    new TextElements((name, text) => {
      if (name === 'title') facts.title = text;
      else if (name === 'creator') authors.push(...text.split(';'));
      else if (name === 'description') facts.description = text;
      else if (name === 'subject') subject = text;
      else if (name === 'keywords') keywords.push(...text.split(/[,;]/));
      else if (name === 'category') keywords.push(text);
      else if (name === 'language') facts.language = text.trim();
      else if (name === 'created') facts.created = readW3cDate(text)?.at;
      else if (name === 'modified') facts.modified = readW3cDate(text)?.at;
      else if (name === 'value') keywords.push(text);
    }),
  );
  readXmlPart(
    archive,
    extended,
    new TextElements((name, text) => {
      const count = Number(text);
      if ((name === 'Pages' || name === 'Slides') && Number.isSafeInteger(count) && count > 0) facts.pages = count;
    }),
  );
  if (subject !== undefined) {
    if (facts.description === undefined) facts.description = subject;
    else keywords.push(subject);
  }
  facts.authors = authors;
  facts.keywords = keywords;
}

function decoded(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
