/** Crawls Gemini (geminiprotocol.net): `orbweaver crawl gemini://geminiprotocol.net/ --plugins ./examples/gemini.ts` */
import { connect } from 'node:tls';
import type { MediaDocument, Plugin, SchemeAnswer, SchemeRequest } from '../src/index.ts';

async function ask({ url, signal, addressOf }: SchemeRequest): Promise<SchemeAnswer> {
  const { hostname: servername, port: named } = new URL(url);
  const port = Number(named) || 1965;
  const host = await addressOf(servername, port);
  // Servers sign their certificates themselves: by the protocol's rules that is no reason to stay away.
  const socket = connect({ host, port, servername, rejectUnauthorized: false });
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  socket.write(`${url}\r\n`);
  const answer = Buffer.concat(await socket.toArray());
  const end = answer.indexOf('\r\n');
  const [, code, meta] = /^(\d)\d ?(.*)$/.exec(answer.toString('utf8', 0, end)) ?? [];
  const type = { 'content-type': meta || 'text/gemini' };
  if (code === '2') return { status: 200, headers: type, body: answer.subarray(end + 2) };
  if (code === '3') return { status: 301, headers: { location: meta } };
  return { status: code === '4' ? 503 : 404 };
}

function read({ bytes }: MediaDocument) {
  const lines = new TextDecoder().decode(bytes).split(/\r?\n/);
  const links = lines.flatMap((line) => {
    const [, url, text = ''] = /^=>\s*(\S+)\s*(.*)$/.exec(line) ?? [];
    return url === undefined ? [] : [{ url, text }];
  });
  const title = lines.find((line) => line.startsWith('# '))?.slice(2);
  const text = lines.map((line) => line.replace(/^(?:=>\s*\S+|#+|\*|>)\s*/, '')).join('\n');
  return { text, links, ...(title && { title }) };
}

const fetchers = { gemini: ask };
const converters = { 'text/gemini': read };
export default { name: 'gemini', api: 1, fetchers, converters } satisfies Plugin;
