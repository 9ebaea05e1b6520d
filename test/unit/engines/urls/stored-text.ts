import fc from 'fast-check';

const label = fc.stringMatching(/^[a-z0-9-]{1,6}$/);
const host = fc.oneof(
  fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
  fc.constantFrom('127.0.0.1', '[2001:db8::1]', 'xn--bcher-kva.de', ''),
);
const port = fc.constantFrom('', '', ':81', ':8443');
const segment = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9._~%-]{0,8}$/),
  fc.constantFrom('%C3%A4', 'index.html', '2024', 'x'.repeat(5000), 'ä', '\u{1f600}'),
);
const path = fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
const query = fc.constantFrom('', '?', '?a=1', '?a=1&b=%20', '?q=日本');

/** URLs of few hosts with much in common, escapes, other scripts and great lengths; and now and then any text. */
export const storedText = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(fc.constantFrom('http', 'https', 'file'), host, port, path, query)
      .map(([scheme, name, number, rest, asked]) => `${scheme}://${name}${number}${rest}${asked}`),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.toWellFormed()) },
);
