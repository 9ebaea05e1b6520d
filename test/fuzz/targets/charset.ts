import { charsetOf, decode } from '../../../src/convert/charset.ts';
import { detectCharset } from '../../../src/convert/charset-detection/detect-charset.ts';
import { encodingOf } from '../../../src/convert/encoding-label.ts';
import { mediaTypeOf } from '../../../src/convert/media-type.ts';
import { queryEncoder } from '../../../src/convert/query-encoder.ts';
import { xmlCharset } from '../../../src/extract/xml/xml-charset.ts';
import { type FuzzTarget, promise, same, textOf } from '../target.ts';

const LABELS = [
  'utf-8',
  'latin1',
  'shift_jis',
  'gb18030',
  'utf-16',
  'x-user-defined',
  'nonsense',
  'iso-2022-kr',
  'ibm855',
];

export const charsetTarget: FuzzTarget = {
  name: 'charset',
  samples: [
    '<!doctype html><meta charset="windows-1252"><p>na\u00efve',
    '<?xml version="1.0" encoding="ISO-8859-1"?><a>',
    Buffer.from('fffe3c0068007400', 'hex'),
    Buffer.from('1b244224332473244b2241234f1b2842', 'hex'),
    Buffer.from('c4e3bac3cac0bde7', 'hex'),
    Buffer.from('ed95ad99eb96', 'hex'),
  ],
  pieces:
    '<meta charset= <meta http-equiv=content-type content="text/html;charset= <?xml encoding= " \' utf-8 UTF-16LE gbk koi8-r > <!-- <script> Привет Grüße 日本語'.split(
      ' ',
    ),
  corpora: ['charset/samples.jsonl', 'html/charset-sniffing.jsonl'],
  maxLength: 1_024,
  run(input) {
    const found = charsetOf(input);
    same(charsetOf(input), found, 'a charset is found the same twice');
    const text = decode(input, found.encoding);
    promise(text.length <= input.length * 2 + 1, 'a text has at most two units for each byte', () => found);
    // One label for each input: all of them would cost nine times as much.
    for (const label of [LABELS[input.length % LABELS.length]]) {
      const { encoding } = charsetOf(input, { label, xml: input.length % 2 === 0 });
      decode(input, encoding);
    }
    detectCharset(input);
    encodingOf(textOf(input));
    mediaTypeOf(textOf(input.subarray(0, 60)), input, 'https://example.com/a.pdf');
    xmlCharset(input, 'text/xml');
    queryEncoder(found.encoding)?.(textOf(input.subarray(0, 60)));
    if (Buffer.from(input).equals(Buffer.from(textOf(input)))) {
      promise(decode(input, 'utf-8') === textOf(input).replace(/^\ufeff/, ''), 'UTF-8 is read as UTF-8');
    }
  },
};
