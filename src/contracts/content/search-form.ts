/** A form that is sent with GET, as a page offers it. */
export interface SearchForm {
  /** Where its answers come from: absolute, without query and fragment. */
  readonly action: string;
  /** In the order of the document, which is that of the query. */
  readonly fields: readonly FormField[];
}

export type FormField =
  /** Sent as it is: hidden fields, ticked boxes, the button. */
  | { readonly kind: 'fixed'; readonly name: string; readonly value: string }
  /** One of several: a select element, radio buttons. Without `chosen` it is not sent unless somebody chooses. */
  | { readonly kind: 'choice'; readonly name: string; readonly values: readonly string[]; readonly chosen?: string }
  /** Words are typed here. */
  | { readonly kind: 'text'; readonly name: string; readonly value: string };

/** What a page brings to those who fill in forms. */
export interface PageForms {
  readonly forms: readonly SearchForm[];
  /** Words of the page and of its links, each once. */
  readonly words: readonly string[];
}
