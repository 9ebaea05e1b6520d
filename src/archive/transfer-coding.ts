/**
 * The body without chunked transfer coding, for archives of other writers, who store the bytes of the wire. What does
 * not look chunked is given back as it is: there are files whose header says so and whose body is plain.
 */
export function dechunk(body: Buffer): Buffer {
  const chunks: Buffer[] = [];
  let at = 0;
  while (at < body.length) {
    const lineEnd = body.indexOf(0x0a, at);
    const size =
      lineEnd === -1 ? null : /^([0-9a-f]{1,8})[ \t]*(?:;.*)?\r?$/i.exec(body.toString('latin1', at, lineEnd));
    if (size === null) return chunks.length === 0 ? body : Buffer.concat([...chunks, body.subarray(at)]);
    const length = Number.parseInt(size[1], 16);
    if (length === 0) break;
    chunks.push(body.subarray(lineEnd + 1, lineEnd + 1 + length));
    at = lineEnd + 1 + length;
    if (body[at] === 0x0d) at++;
    if (body[at] === 0x0a) at++;
  }
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}
