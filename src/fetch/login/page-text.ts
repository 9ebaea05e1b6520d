import type { FetchResult } from '../../contracts/fetcher.ts';

type Page = Pick<Extract<FetchResult, { kind: 'response' }>, 'head' | 'body'>;

const DECLARED = /<meta\b[^>]{0,200}?\bcharset\s{0,9}=\s{0,9}["']?([\w:-]{1,40})/i;
/** Where a page declares its encoding, as browsers look for it. */
const DECLARED_WITHIN = 1024;

/** The text of a page in the encoding that its header or the page itself names; UTF-8 where neither does. */
export function pageText({ head, body }: Page): string {
  const named = /\bcharset\s*=\s*["']?([\w:-]{1,40})/i.exec(head.header('content-type') ?? '')?.[1];
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, DECLARED_WITHIN)).toString('latin1');
  const label = wideMark(body) ?? named ?? DECLARED.exec(start)?.[1];
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** A byte order mark counts more than what anybody says. */
function wideMark([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}
