import type { XmlHandler } from '../xml/xml-reader.ts';
import type { XmlTag } from '../xml/xml-tag.ts';

interface Style {
  name: string;
  basedOn?: string;
  outline?: number;
  /** Id of its list; "0" takes it out of any. */
  list?: string;
  listLevel?: number;
}

/** What a paragraph is by its style. */
export interface ParagraphRole {
  /** 1 to 6 for headings. */
  readonly level?: number;
  readonly item: boolean;
  /** Id and level of the list that numbers it. */
  readonly list?: string;
  readonly listLevel?: number;
}

const MAX_STYLES = 10_000;
const MAX_CHAIN = 20;

/** Ids of heading styles as localized versions make them, for documents without a list of styles. */
const HEADING_ID =
  /^(?:heading|ü?berschrift|titre|t[ií]?tulo|titolo|kop|rubrik|overskrift|otsikko|nag[łl]?[óo]?wek|nadpis|c[ií]?msor|ba[şs]?l[ıi]?k|заголовок|标题|標題|見出し|제목)\s*([1-9])$/i;

/** Reads the list of styles, and tells which ones make headings and list items, also by what they are based on. */
export class DocxStyles implements XmlHandler {
  /** The language that the document gives to its text. */
  language: string | undefined;
  readonly #styles = new Map<string, Style>();
  readonly #roles = new Map<string, ParagraphRole>();
  #current: Style | undefined;
  #inDefaults = false;

  open(tag: XmlTag): boolean {
    switch (tag.name) {
      case 'docDefaults':
        this.#inDefaults = true;
        break;
      case 'lang':
        if (this.#inDefaults) this.language ??= tag.get('val') ?? tag.get('eastAsia');
        break;
      case 'style': {
        const id = tag.get('styleId');
        this.#current = { name: '' };
        if (id !== undefined && this.#styles.size < MAX_STYLES) this.#styles.set(id, this.#current);
        break;
      }
      case 'name':
        if (this.#current !== undefined) this.#current.name = (tag.get('val') ?? '').toLowerCase();
        break;
      case 'basedOn':
        if (this.#current !== undefined) this.#current.basedOn = tag.get('val');
        break;
      case 'outlineLvl':
        if (this.#current !== undefined) this.#current.outline = Number(tag.get('val'));
        break;
      case 'numId':
        if (this.#current !== undefined) this.#current.list = tag.get('val');
        break;
      case 'ilvl':
        if (this.#current !== undefined) this.#current.listLevel = Number(tag.get('val')) || 0;
        break;
    }
    return true;
  }

  close(name: string): void {
    if (name === 'style') this.#current = undefined;
    else if (name === 'docDefaults') this.#inDefaults = false;
  }

  text(): void {}

  roleOf(id: string): ParagraphRole {
    let role = this.#roles.get(id);
    if (role === undefined) {
      role = this.#find(id);
      this.#roles.set(id, role);
    }
    return role;
  }

  #find(id: string): ParagraphRole {
    let level: number | undefined;
    let bulleted = false;
    let list: string | undefined;
    let listLevel: number | undefined;
    if (!this.#styles.has(id)) level = headingLevel(HEADING_ID.exec(id)?.[1]);
    let next: string | undefined = id;
    for (let steps = 0; next !== undefined && steps < MAX_CHAIN; steps++) {
      const style: Style | undefined = this.#styles.get(next);
      if (style === undefined) break;
      const named = headingLevel(/^heading ([1-9])$/.exec(style.name)?.[1]);
      level ??= style.outline === undefined ? named : headingLevel(String(style.outline + 1));
      if (level === undefined && style.name === 'title') level = 1;
      if (level === undefined && style.name === 'subtitle') level = 2;
      // Level 9 in the outline says outright: no heading.
      if (style.outline !== undefined && level === undefined) break;
      if (/^list (?:bullet|number)/.test(style.name) && list === undefined) bulleted = true;
      list ??= style.list;
      listLevel ??= style.listLevel;
      next = style.basedOn;
    }
    return {
      ...(level === undefined ? {} : { level }),
      item: list === undefined ? bulleted : list !== '0',
      ...(list === undefined ? {} : { list }),
      ...(listLevel === undefined ? {} : { listLevel }),
    };
  }
}

/** Levels 1 to 9 as at most 6. */
function headingLevel(digit: string | undefined): number | undefined {
  const level = Number(digit);
  return level >= 1 && level <= 9 ? Math.min(level, 6) : undefined;
}
