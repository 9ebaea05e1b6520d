import type { FormField, SearchForm } from '../../contracts/content/search-form.ts';
import { byteSourceOf } from '../byte-text.ts';
import { ANY_TAG, RAW_TEXT } from '../element-traits.ts';
import type { HtmlScanner } from '../html-scanner.ts';
import { type MarkupReader, scanOnce } from '../scan-once.ts';
import { attributeName } from '../tags/attribute-name.ts';
import { CollapsedText } from '../texts/collapsed-text.ts';

const MOST_FORMS = 20;
const MOST_FIELDS = 50;
const MOST_VALUES = 1000;
const LONGEST_VALUE = 200;

const ACTION = attributeName('action');
const METHOD = attributeName('method');
const TYPE = attributeName('type');
const NAME = attributeName('name');
const VALUE = attributeName('value');
const CHECKED = attributeName('checked');
const SELECTED = attributeName('selected');
const DISABLED = attributeName('disabled');
const MULTIPLE = attributeName('multiple');

/** Fields that words are typed into; other types ask for something that the words of a site are not. */
const TEXT_TYPES: ReadonlySet<string> = new Set(['', 'text', 'search']);
/** Who asks for these asks people, not for words. */
const PERSONAL_TYPES: ReadonlySet<string> = new Set(['password', 'file', 'email', 'tel']);
const SILENT_TYPES: ReadonlySet<string> = new Set(['button', 'reset', 'image']);

/**
 * The forms of a page that can be filled in without harm: sent with GET, with something to choose or to type, and nothing that asks
 * for a person's data. `resolve` makes references absolute.
 */
export function searchForms(
  source: Uint8Array | string,
  resolve: (reference: string) => string | undefined,
): SearchForm[] {
  const [reader] = scanOnce<[FormReader]>(byteSourceOf(source), [(scanner) => new FormReader(scanner)]);
  return reader.forms.flatMap(({ action, fields }) => {
    const url = resolve(action);
    return url === undefined || !/^https?:/i.test(url) ? [] : [{ action: url.replace(/[?#].*$/s, ''), fields }];
  });
}

interface OpenForm {
  readonly action: string;
  readonly fields: FormField[];
  /** Radio buttons of one name are one field. */
  readonly radios: Map<string, { values: string[]; chosen?: string; at: number }>;
  hasButton: boolean;
  isLeftAlone: boolean;
}

interface OpenSelect {
  readonly name: string;
  readonly isMultiple: boolean;
  readonly values: string[];
  chosen: string | undefined;
}

class FormReader implements MarkupReader {
  readonly startTraits = ANY_TAG;
  readonly endTraits = ANY_TAG;
  readonly takesText = true;
  readonly forms: { readonly action: string; readonly fields: readonly FormField[] }[] = [];
  readonly #scanner: HtmlScanner;
  readonly #text = new CollapsedText(64);
  #form: OpenForm | undefined;
  #select: OpenSelect | undefined;
  /** The option whose text is its value is being read; `isSelected` as it says. */
  #option: { readonly isSelected: boolean } | undefined;

  constructor(scanner: HtmlScanner) {
    this.#scanner = scanner;
  }

  startTag(): boolean {
    const scanner = this.#scanner;
    const name = scanner.tagName();
    if (name === 'form') this.#openForm();
    else if (this.#form !== undefined) this.#startInForm(name, this.#form);
    return (scanner.traits & RAW_TEXT) !== 0;
  }

  rawText(): void {}

  endTag(): void {
    const name = this.#scanner.tagName();
    if (name === 'option') this.#closeOption();
    else if (name === 'select') this.#closeSelect();
    else if (name === 'form') this.end();
  }

  text(): void {
    if (this.#option === undefined) return;
    const { bytes, textStart, textEnd, literal } = this.#scanner;
    this.#text.add(bytes, textStart, textEnd, literal);
  }

  end(): void {
    this.#closeSelect();
    const form = this.#form;
    this.#form = undefined;
    if (form === undefined || form.isLeftAlone) return;
    for (const [name, { values, chosen, at }] of form.radios)
      form.fields[at] = { kind: 'choice', name, values, ...(chosen === undefined ? {} : { chosen }) };
    if (form.fields.some(({ kind }) => kind !== 'fixed')) this.forms.push({ action: form.action, fields: form.fields });
  }

  /** A form within a form is none. */
  #openForm(): void {
    if (this.#form !== undefined || this.forms.length >= MOST_FORMS) return;
    const method = this.#scanner.attribute(METHOD)?.trim().toLowerCase() ?? 'get';
    const action = this.#scanner.attribute(ACTION) ?? '';
    // One that is sent otherwise is open all the same: a form within it is none.
    const isOther = method === 'post' || method === 'dialog';
    this.#form = { action, fields: [], radios: new Map(), hasButton: false, isLeftAlone: isOther };
  }

  #startInForm(element: string, form: OpenForm): void {
    const scanner = this.#scanner;
    if (element === 'option') {
      this.#closeOption();
      if (this.#select !== undefined && scanner.attribute(DISABLED) === undefined) this.#openOption();
      return;
    }
    if (element !== 'input' && element !== 'select' && element !== 'textarea' && element !== 'button') return;
    this.#closeSelect();
    const type = scanner.attribute(TYPE)?.trim().toLowerCase() ?? '';
    if (element === 'input' && PERSONAL_TYPES.has(type)) form.isLeftAlone = true;
    const name = scanner.attribute(NAME) ?? '';
    if (name === '' || scanner.attribute(DISABLED) !== undefined || form.fields.length >= MOST_FIELDS) return;
    const value = (scanner.attribute(VALUE) ?? '').slice(0, LONGEST_VALUE);
    if (element === 'select') {
      const isMultiple = scanner.attribute(MULTIPLE) !== undefined;
      this.#select = { name, isMultiple, values: [], chosen: undefined };
    } else if (element === 'textarea') form.fields.push({ kind: 'text', name, value: '' });
    else if (element === 'button' || type === 'submit') this.#addButton(form, name, value, type);
    else this.#addInput(form, name, value, type);
  }

  /** As if the first were pressed. */
  #addButton(form: OpenForm, name: string, value: string, type: string): void {
    if (form.hasButton || (type !== '' && type !== 'submit')) return;
    form.hasButton = true;
    form.fields.push({ kind: 'fixed', name, value });
  }

  #addInput(form: OpenForm, name: string, value: string, type: string): void {
    const isChecked = this.#scanner.attribute(CHECKED) !== undefined;
    if (TEXT_TYPES.has(type)) form.fields.push({ kind: 'text', name, value });
    else if (type === 'radio') this.#addRadio(form, name, value || 'on', isChecked);
    else if (type === 'checkbox') {
      if (isChecked) form.fields.push({ kind: 'fixed', name, value: value || 'on' });
    } else if (!SILENT_TYPES.has(type)) form.fields.push({ kind: 'fixed', name, value });
  }

  #addRadio(form: OpenForm, name: string, value: string, isChecked: boolean): void {
    let field = form.radios.get(name);
    if (field === undefined) {
      field = { values: [], at: form.fields.length };
      form.radios.set(name, field);
      form.fields.push({ kind: 'choice', name, values: field.values });
    }
    if (field.values.length < MOST_VALUES && !field.values.includes(value)) field.values.push(value);
    if (isChecked) field.chosen = value;
  }

  #openOption(): void {
    const value = this.#scanner.attribute(VALUE);
    const isSelected = this.#scanner.attribute(SELECTED) !== undefined;
    if (value === undefined) this.#option = { isSelected };
    else this.#addOption(value, isSelected);
  }

  #closeOption(): void {
    const option = this.#option;
    if (option === undefined) return;
    this.#option = undefined;
    this.#addOption(this.#text.take(), option.isSelected);
  }

  #addOption(value: string, isSelected: boolean): void {
    const select = this.#select;
    if (select === undefined || value.length > LONGEST_VALUE || select.values.length >= MOST_VALUES) return;
    if (isSelected) select.chosen ??= value;
    if (!select.values.includes(value)) select.values.push(value);
  }

  #closeSelect(): void {
    this.#closeOption();
    const select = this.#select;
    this.#select = undefined;
    if (select === undefined || this.#form === undefined || select.values.length === 0) return;
    const { name, values, isMultiple } = select;
    // Where none is selected, browsers send the first.
    const chosen = select.chosen ?? (isMultiple ? undefined : values[0]);
    this.#form.fields.push({ kind: 'choice', name, values, ...(chosen === undefined ? {} : { chosen }) });
  }
}
