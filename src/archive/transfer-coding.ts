/**
 * The body without chunked transfer coding, for archives of other writers, who store the bytes of the wire. What does
 * not look chunked is given back as it is: there are files whose header says so and whose body is plain.
 */
export function dechunk(body: Buffer): Buffer {
  // One piece of memory: a body in chunks of one byte would be millions of them otherwise.
  let whole: Buffer | undefined;
  let only = body.subarray(0, 0);
  let length = 0;
  let at = 0;
  const add = (chunk: Buffer): void => {
    if (length === 0) only = chunk;
    else {
      whole ??= Buffer.concat([only], body.length);
      chunk.copy(whole, length);
    }
    length += chunk.length;
  };
  while (at < body.length) {
    const lineEnd = body.indexOf(0x0a, at);
    const size =
      lineEnd === -1 ? null : /^([0-9a-f]{1,8})[ \t]*(?:;.*)?\r?$/i.exec(body.toString('latin1', at, lineEnd));
    if (size === null) {
      if (length === 0) return body;
      add(body.subarray(at));
      break;
    }
    const chunkLength = Number.parseInt(size[1], 16);
    if (chunkLength === 0) break;
    add(body.subarray(lineEnd + 1, lineEnd + 1 + chunkLength));
    at = lineEnd + 1 + chunkLength;
    if (body[at] === 0x0d) at++;
    if (body[at] === 0x0a) at++;
  }
  return whole?.subarray(0, length) ?? only;
}
