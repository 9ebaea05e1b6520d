import type { SearchForm } from '../../contracts/content/search-form.ts';

/** The URL of a form that is sent; `filled` takes the place of what the form says of these fields. */
export function formUrl({ action, fields }: SearchForm, filled: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams();
  for (const field of fields) {
    const own = Object.hasOwn(filled, field.name) ? filled[field.name] : undefined;
    const value = own ?? (field.kind === 'choice' ? field.chosen : field.value);
    if (value !== undefined) query.append(field.name, value);
  }
  return `${action}?${query}`;
}
