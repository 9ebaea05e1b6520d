/** A response of HTTP/1.1 in bytes. `headers` are lines without their ends; nothing is added where `bare`. */
export function message(
  body: string | Buffer,
  headers: readonly string[] = [],
  status = '200 OK',
  framing: 'length' | 'close' = 'length',
): Buffer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const all = [...headers];
  if (!headers.some((line) => /^content-type:/i.test(line))) all.push('Content-Type: text/html');
  all.push(framing === 'length' ? `Content-Length: ${bytes.length}` : 'Connection: close');
  return Buffer.concat([head(all, status), bytes]);
}

/** Status line and header lines, with the empty line behind them. */
export function head(lines: readonly string[], status = '200 OK'): Buffer {
  return Buffer.from(`HTTP/1.1 ${status}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`, 'latin1');
}

/** A page that anybody would store. `name` keeps it apart from other pages. */
export function page(name: string, links: readonly string[] = []): string {
  const words = Array.from({ length: 60 }, (_, i) => `${name}${i * 7}`).join(' ');
  const list = links.map((link) => `<p><a href="${link}">${link}</a></p>`).join('');
  return `<!doctype html><html><head><title>${name}</title></head><body><h1>${name}</h1><p>${words}</p>${list}</body></html>`;
}
