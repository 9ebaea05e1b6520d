import { randomUUID } from 'node:crypto';
import type { CrawlDraft, CrawlTemplate, DraftProblems } from '../contracts/crawl-library.ts';
import { draftOf, EMPTY_DRAFT } from './crawl-draft.ts';
import { readJson, writeJson } from './json-file.ts';
import { ownFile } from './library-folder.ts';

const MOST_TEMPLATES = 200;
const LONGEST_NAME = 80;

const BUILT_IN: readonly CrawlTemplate[] = [
  builtIn('site', 'One site', 'All pages of one host.', { scope: 'host' }),
  builtIn('domain', 'A site and its subdomains', 'All hosts of a domain, such as www, docs and blog.', {
    scope: 'domain',
  }),
  builtIn('directory', 'Part of a site', 'Only what lies below an address, such as /docs/.', { scope: 'directory' }),
  builtIn('topic', 'A topic', 'Pages on one topic, wherever links lead; it learns what is on topic.', {
    scope: 'any',
    maxPages: '10000',
  }),
  builtIn('pages', 'A list of pages', 'These addresses alone, without their links.', { scope: 'pages' }),
  builtIn('fresh', 'Keep a site fresh', 'Never ends: pages are visited again when they may have changed.', {
    scope: 'host',
    repeat: 'continuous',
  }),
];

/** Sets of answers to begin with: a few that everybody has, and the user's own in a file of the library. */
export class Templates {
  readonly #path: string;

  constructor(library: string) {
    this.#path = ownFile(library, 'templates.json');
  }

  list(): readonly CrawlTemplate[] {
    return [...BUILT_IN, ...this.#own()];
  }

  /** Of a draft everything is kept but what names one crawl: its addresses and its name. */
  save(name: string, draft: CrawlDraft): DraftProblems | undefined {
    const title = name.trim();
    const own = this.#own();
    if (title === '' || title.length > LONGEST_NAME)
      return { name: `A template needs a name of at most ${LONGEST_NAME} characters.` };
    if (own.length >= MOST_TEMPLATES) return { name: `There are ${MOST_TEMPLATES} templates. Delete one first.` };
    const { addresses: _addresses, name: _name, ...kept } = draft;
    const saved: CrawlTemplate = { id: randomUUID(), name: title, about: '', draft: kept, builtIn: false };
    writeJson(this.#path, [...own.filter((template) => template.name !== title), saved]);
    return undefined;
  }

  remove(id: string): void {
    const own = this.#own();
    if (own.some((template) => template.id === id))
      writeJson(
        this.#path,
        own.filter((template) => template.id !== id),
      );
  }

  #own(): CrawlTemplate[] {
    const value = readJson(this.#path);
    return (Array.isArray(value) ? value : []).flatMap((entry: Partial<CrawlTemplate> | null) => {
      if (typeof entry?.id !== 'string' || typeof entry.name !== 'string') return [];
      const fields: Partial<Record<string, unknown>> = { ...entry.draft };
      const text = (name: string): string | null =>
        typeof fields[name] === 'string' ? (fields[name] as string) : null;
      return [{ id: entry.id, name: entry.name, about: '', draft: draftOf({ get: text }), builtIn: false }];
    });
  }
}

/** The answers with which a form begins. */
export function beginWith(template: CrawlTemplate | undefined): CrawlDraft {
  return { ...EMPTY_DRAFT, ...template?.draft };
}

function builtIn(id: string, name: string, about: string, draft: Partial<CrawlDraft>): CrawlTemplate {
  return { id, name, about, draft, builtIn: true };
}
