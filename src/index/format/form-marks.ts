import { ENDINGS, SUFFIXES } from '../analysis/word-forms.ts';

/**
 * Which forms of a term a document holds, and which of them its title does, in 24 bits: a bit for each ending and each suffix of
 * `wordForm`. 0 where there is none but the base form, as for most postings.
 */
export const MARK_BITS = ENDINGS + SUFFIXES;
const MASK = 2 ** MARK_BITS - 1;
/** The bits of the base form. */
export const BASE_MARKS = 1 | (1 << ENDINGS);

/** The bits of one form. */
export function markOfForm(form: number): number {
  return (1 << (form % ENDINGS)) | (1 << (ENDINGS + Math.floor(form / ENDINGS)));
}

/** The same for every form there is. */
export const FORM_MARKS: Uint16Array = Uint16Array.from({ length: 256 }, (_, form) => markOfForm(form));

/** What a posting says of its forms, from the marks of all of them and of those in the title (0: none), which are mostly the same. */
export function formsOf(all: number, title: number): number {
  return (all ^ BASE_MARKS) | (title === 0 ? 0 : (title ^ all) << MARK_BITS);
}

/**
 * The same for a term that anchors hold, too: what the other fields say of it, or the anchors where no other field has it. What
 * the anchors add is kept apart (`addedForms`), so that other anchors can take their place.
 */
export function ownForms(own: number, title: number, anchors: number): number {
  return formsOf(own === 0 ? anchors : own, title);
}

/** Marks that the anchors alone have, where another field has the term. */
export function addedForms(own: number, anchors: number): number {
  return own === 0 ? 0 : anchors & ~own;
}

/** The forms of all fields. */
export function withAdded(forms: number, added: number): number {
  return forms ^ (added | (added << MARK_BITS));
}

/** The marks that went into `formsOf` as all of them. */
export function marksOf(forms: number): number {
  return (forms ^ BASE_MARKS) & MASK;
}

/** Whether the document holds the form. */
export function holdsForm(forms: number, form: number): boolean {
  const mark = markOfForm(form);
  return ((forms ^ BASE_MARKS) & mark) === mark;
}

/** Whether the title of the document holds the form, where it holds the term at all. */
export function titleHoldsForm(forms: number, form: number): boolean {
  const mark = markOfForm(form);
  return (((forms >>> MARK_BITS) ^ forms ^ BASE_MARKS) & MASK & mark) === mark;
}

/** Whether the document holds a form that was derived alike, whatever its ending. */
export function holdsDerivation(forms: number, form: number): boolean {
  return (((forms ^ BASE_MARKS) >>> ENDINGS) & (1 << Math.floor(form / ENDINGS))) !== 0;
}
