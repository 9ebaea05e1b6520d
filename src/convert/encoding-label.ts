/** Labels whose text must not be read: their encodings can hide markup from a scanner that reads them otherwise. */
const REPLACEMENT_LABELS = new Set([
  'csiso2022kr',
  'hz-gb-2312',
  'iso-2022-cn',
  'iso-2022-cn-ext',
  'iso-2022-kr',
  'replacement',
]);

/** The encoding a label stands for, in lower case, by the Encoding Standard; undefined where it is none. */
export function encodingOf(label: string): string | undefined {
  const written = label.replace(/^[\t\n\f\r ]+|[\t\n\f\r ]+$/g, '');
  if (!/^[a-z0-9_:.-]+$/i.test(written)) return undefined;
  const name = written.toLowerCase();
  if (REPLACEMENT_LABELS.has(name)) return 'replacement';
  // The platform knows the labels; it only tells by throwing which ones it does not know.
  try {
    return new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}
