import { isAscii } from 'node:buffer';
import { createXmlDecoder, decodeXml, xmlCharset } from '../xml/xml-charset.ts';
import type { FeedProblem } from './feed.ts';
import type { FeedOptions } from './feed-options.ts';

export interface DecodedFeed {
  readonly text: string;
  readonly encoding: string;
  readonly problems: FeedProblem[];
}

/** Makes text of a feed's bytes: by its declarations as far as they are true, else by what the bytes look like. */
export function decodeFeed(bytes: Uint8Array, options: FeedOptions): DecodedFeed {
  const { contentType = '' } = options;
  const charset = xmlCharset(bytes, contentType);
  const problems: FeedProblem[] = [];
  if (charset.unknownLabel !== undefined) problems.push('unknown-encoding');
  const text = decodeWith(bytes, charset.encoding, options);
  if (text.includes('\ufffd') && !isDecodable(bytes, charset.encoding)) {
    problems.push('undecodable-bytes');
    // Where some characters were right a declaration is too, and single bytes went bad.
    if (charset.from === 'default') {
      return decodedAs(bytes, options.guessEncoding?.(bytes) ?? 'windows-1252', options, problems);
    }
    if (charset.from !== 'bom' && !/[\x80-\ufffc]/.test(text))
      return decodedAs(bytes, 'windows-1252', options, problems);
  }
  // By RFC 3023 text/xml without a charset was us-ascii; where that is true it does no harm to say so.
  const undeclared = charset.from === 'declaration' || charset.from === 'default';
  const isText = /^\s*text\/(?:[\w.+-]*\+)?xml/i.test(contentType);
  return { text, encoding: undeclared && isText && isAscii(bytes) ? 'us-ascii' : charset.label, problems };
}

function decodedAs(bytes: Uint8Array, label: string, options: FeedOptions, problems: FeedProblem[]): DecodedFeed {
  const encoding = xmlCharset(new Uint8Array(0), `;charset=${label}`).encoding;
  return { text: decodeWith(bytes, encoding, options), encoding: label.toLowerCase(), problems };
}

function decodeWith(bytes: Uint8Array, encoding: string, options: FeedOptions): string {
  if (options.decode === undefined || encoding.startsWith('utf-')) return decodeXml(bytes, encoding);
  return options.decode(bytes, encoding);
}

/** A replacement character may also stand in the document itself. */
function isDecodable(bytes: Uint8Array, encoding: string): boolean {
  if (encoding.startsWith('utf-32')) return createXmlDecoder(encoding).decode(bytes).includes('\ufffd') === false;
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
