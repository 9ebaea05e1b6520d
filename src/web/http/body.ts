import type { IncomingMessage } from 'node:http';

/** Far more than a form or a list of URLs needs. */
export const MOST_BODY_BYTES = 256 * 1024;

export interface RefusedBody {
  readonly status: 400 | 413 | 415;
  readonly why: string;
}

/** More was sent than is taken. */
export class BodyTooLarge extends Error {
  constructor(most = MOST_BODY_BYTES) {
    super(`A request has at most ${most.toLocaleString('en')} bytes.`);
  }
}

/** Reads a body to its end, within the limit. */
export async function readBody(request: IncomingMessage, most = MOST_BODY_BYTES): Promise<Buffer | RefusedBody> {
  const tooLarge: RefusedBody = { status: 413, why: `A request has at most ${most.toLocaleString('en')} bytes.` };
  if (Number(request.headers['content-length'] ?? 0) > most) return tooLarge;
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      length += piece.length;
      if (length > most) return tooLarge;
      pieces.push(piece);
    }
  } catch {
    return { status: 400, why: 'The request is not whole.' };
  }
  return Buffer.concat(pieces);
}

/** What a form has sent. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams | RefusedBody> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded')
    return { status: 415, why: 'This address takes what a form sends: application/x-www-form-urlencoded.' };
  const body = await readBody(request);
  return Buffer.isBuffer(body) ? new URLSearchParams(body.toString('utf8')) : body;
}
