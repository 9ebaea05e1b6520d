import fc from 'fast-check';

/** Any text of one character per byte, as headers are read; line ends and NUL included. */
export const latin1Text = fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)) });
