import type { DocumentFilter } from '../../contracts/search-index.ts';
import { dateRange } from './date-range.ts';
import { mediaTypesOf } from './file-types.ts';
import type { SyntaxNode } from './query-syntax.ts';
import type { OperatorName } from './query-tokens.ts';

/** What a document must not be, besides what a `DocumentFilter` can say. */
export interface Exclusions {
  readonly languages: readonly string[];
  readonly mediaTypes: readonly string[];
  readonly inUrl: readonly string[];
}

export interface FilterResult {
  readonly conditions: DocumentFilter;
  readonly without: Exclusions;
  readonly notes: readonly string[];
  /** Any condition was given. */
  readonly asked: boolean;
}

/** Gathers the conditions of one query that hold for a document whatever its words: site: lang: before: and the like. */
export class FilterReader {
  readonly #sites: string[] = [];
  readonly #notSites: string[] = [];
  readonly #languages: string[] = [];
  readonly #mediaTypes: string[] = [];
  readonly #inUrl: string[] = [];
  readonly #without = { languages: [] as string[], mediaTypes: [] as string[], inUrl: [] as string[] };
  readonly #notes = new Set<string>();
  #before = Number.POSITIVE_INFINITY;
  #after = Number.NEGATIVE_INFINITY;

  take(name: Exclude<OperatorName, 'intitle'>, value: string, not: boolean): void {
    if (name === 'site') this.#site(value, not);
    else if (name === 'inurl') (not ? this.#without.inUrl : this.#inUrl).push(value.toLowerCase().replace(/\*+$/, ''));
    else if (name === 'filetype') this.#fileType(value, not);
    else if (name === 'lang') this.#language(value, not);
    else this.#date(name, value, not);
  }

  /** Conditions hold for the whole query, not for one of two alternatives. */
  heldForAll(part: SyntaxNode): void {
    if (part.kind === 'operator') this.#notes.add(`${part.name}: beside OR holds for the whole query.`);
  }

  result(): FilterResult {
    const conditions: DocumentFilter = {
      ...(this.#sites.length > 0 ? { sites: this.#sites } : {}),
      ...(this.#notSites.length > 0 ? { notSites: this.#notSites } : {}),
      ...(this.#languages.length > 0 ? { languages: this.#languages } : {}),
      ...(this.#mediaTypes.length > 0 ? { mediaTypes: [...new Set(this.#mediaTypes)] } : {}),
      ...(this.#inUrl.length > 0 ? { inUrl: this.#inUrl } : {}),
      ...(Number.isFinite(this.#before) ? { before: this.#before } : {}),
      ...(Number.isFinite(this.#after) ? { after: this.#after } : {}),
    };
    if (this.#after >= this.#before) this.#notes.add('No date is both after: and before: what was given.');
    const asked = Object.keys(conditions).length > 0 || Object.values(this.#without).some((list) => list.length > 0);
    return { conditions, without: this.#without, notes: [...this.#notes], asked };
  }

  #site(value: string, not: boolean): void {
    const written = value.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^(?:\*?\.)+/, '');
    const slash = written.search(/[/?#]/);
    const host = hostOf(slash < 0 ? written : written.slice(0, slash));
    if (host === '') {
      this.#notes.add(`site:${value} names no host and was left out.`);
      return;
    }
    const path = slash < 0 ? '' : written.slice(slash).replace(/\/+$/, '');
    if (path !== '' && not) {
      this.#without.inUrl.push(`${host}${path}`.toLowerCase());
      return;
    }
    (not ? this.#notSites : this.#sites).push(host);
    if (path !== '') this.#inUrl.push(`${host}${path}`.toLowerCase());
  }

  #fileType(value: string, not: boolean): void {
    const types = mediaTypesOf(value);
    if (types !== undefined) {
      (not ? this.#without.mediaTypes : this.#mediaTypes).push(...types);
      return;
    }
    const ending = `.${value.toLowerCase().replace(/^\.+/, '')}`;
    this.#notes.add(`filetype:${value} is not known; it was read as ${not ? '-' : ''}inurl:${ending}.`);
    (not ? this.#without.inUrl : this.#inUrl).push(ending);
  }

  #language(value: string, not: boolean): void {
    const tag = value.toLowerCase().split(/[-_]/)[0];
    if (/^[a-z]{2,3}$/.test(tag)) (not ? this.#without.languages : this.#languages).push(tag);
    else this.#notes.add(`lang:${value} is no language tag such as en or de and was left out.`);
  }

  #date(name: 'before' | 'after', value: string, not: boolean): void {
    const range = dateRange(value);
    if (range === undefined) {
      this.#notes.add(`${name}:${value} is no date such as 2026, 2026-05 or 2026-05-04 and was left out.`);
      return;
    }
    // Not before a day is from that day on.
    if ((name === 'before') === not) this.#after = Math.max(this.#after, range.from);
    else this.#before = Math.min(this.#before, range.from);
  }
}

function hostOf(written: string): string {
  const plain = written.toLowerCase().replace(/\.+$/, '');
  if (plain === '') return '';
  try {
    return new URL(`http://${plain}`).host || plain;
  } catch {
    return plain;
  }
}
