import type { IncomingMessage } from 'node:http';
import { BadRequest } from './web-request.ts';

const MOST_BYTES = 256 * 1024;
const MOST_FIELDS = 200;

/** The fields of a form that was sent. Throws BadRequest where it is none, or too long. */
export async function formBody(request: IncomingMessage): Promise<URLSearchParams> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) {
    request.resume();
    throw new BadRequest('Forms are taken as application/x-www-form-urlencoded.');
  }
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    length += piece.length;
    if (length > MOST_BYTES) {
      request.resume();
      throw new BadRequest(`A form has at most ${MOST_BYTES / 1024} KB.`);
    }
    pieces.push(piece);
  }
  const fields = new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
  if (fields.size > MOST_FIELDS) throw new BadRequest('A form has fewer fields.');
  return fields;
}
