import type { DocumentBuilder } from '../document-builder.ts';
import type { XmlHandler } from '../xml/xml-reader.ts';
import type { XmlTag } from '../xml/xml-tag.ts';

interface Series {
  name: string;
  readonly categories: string[];
  readonly values: string[];
}

/** A chart as its document keeps it: titles as paragraphs, the numbers as a table with one row per series. */
export class ChartText implements XmlHandler {
  readonly #titles: string[] = [];
  readonly #series: Series[] = [];
  #room: number;
  #place: 'tx' | 'cat' | 'val' | undefined;
  #reading = false;
  #text = '';

  constructor(maxText: number) {
    this.#room = maxText;
  }

  open(tag: XmlTag): boolean {
    switch (tag.name) {
      case 'ser':
        this.#series.push({ name: '', categories: [], values: [] });
        break;
      case 'tx':
      case 'cat':
      case 'val':
        this.#place = tag.name;
        break;
      case 'xVal':
        this.#place = 'cat';
        break;
      case 'yVal':
        this.#place = 'val';
        break;
      case 'p':
        this.#text = '';
        break;
      case 'v':
      case 't':
        this.#reading = true;
        if (tag.name === 'v') this.#text = '';
        break;
      case 'spPr':
      case 'txPr':
      case 'f':
      case 'formatCode':
        return false;
    }
    return true;
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#reading = false;
    if (name === 'v') this.#value(this.#text);
    else if (name === 'p' && this.#text.trim() !== '') this.#titles.push(this.#text);
    else if (name === 'ser' || name === 'cat' || name === 'val' || name === 'tx') this.#place = undefined;
    if (name === 'p' || name === 'v') this.#text = '';
  }

  text(text: string): void {
    if (!this.#reading) return;
    this.#room -= text.length + 1;
    if (this.#room > 0) this.#text += text;
  }

  addTo(builder: DocumentBuilder): void {
    for (const title of this.#titles) builder.paragraph(title);
    const rows: string[][] = [];
    let above = '';
    for (const { name, categories, values } of this.#series) {
      const heads = categories.join('\t');
      if (heads !== above && heads !== '') rows.push(['', ...categories]);
      above = heads;
      rows.push([name, ...values]);
    }
    builder.table(rows);
  }

  #value(text: string): void {
    const series = this.#series.at(-1);
    if (series === undefined || this.#room <= 0) return;
    if (this.#place === 'tx') series.name += text;
    else if (this.#place === 'cat') series.categories.push(text);
    else if (this.#place === 'val') series.values.push(text);
  }
}
