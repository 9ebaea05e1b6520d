import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostileCase } from './hostile-case.ts';
import { message } from './hostile-message.ts';

interface CurlReply {
  readonly test: number;
  readonly options: readonly string[];
  readonly curl_exit: number;
  readonly reply_b64: string;
  readonly more_replies_b64?: Readonly<Record<string, string>>;
}

/** Replies of the public data set `http-responses`, byte by byte; `folder` is where it lies. */
export function rawCases(folder: string): HostileCase[] {
  const curl = lines<CurlReply>(join(folder, 'curl.jsonl')).map((one): HostileCase => {
    const taken = one.curl_exit === 0 && !one.options.includes('--http0.9');
    const replies = Object.values(one.more_replies_b64 ?? {});
    return {
      ...{ name: `curl-${one.test}`, group: 'curl', bound: 'files the response by its framing', maxRequests: 30 },
      expect: taken ? ['response'] : ['any'],
      answer: (socket, { nth }) =>
        void socket.end(Buffer.from(nth === 1 ? one.reply_b64 : (replies[nth - 2] ?? one.reply_b64), 'base64')),
    };
  });
  const llhttp = lines<{ http: string }>(join(folder, 'llhttp-responses.jsonl')).map(
    ({ http }, i): HostileCase => ({
      ...{ name: `llhttp-${i}`, group: 'llhttp', bound: 'files the response by its framing', maxRequests: 30 },
      expect: ['any'],
      answer: (socket) => void socket.end(Buffer.from(unescaped(http), 'latin1')),
    }),
  );
  return [...curl, ...llhttp];
}

/** The strings of the public data set `hostile` in titles, anchors, attributes and addresses. */
/** Of the naughty strings every so many. */
export function stringCases(folder: string, every = 1): HostileCase[] {
  const all = JSON.parse(readFileSync(join(folder, 'blns.json'), 'utf8')) as string[];
  const strings = all.filter((_, at) => at % every === 0);
  const pages = strings.map(
    (text) =>
      `<html><head><title>${text}</title><meta name="description" content="${text}"></head><body><h1>${text}</h1><p>${text}</p><a href="/deeper/${text}">${text}</a><a href="${text}">x</a></body></html>`,
  );
  return [
    {
      ...{ name: 'naughty-strings', group: 'strings', bound: 'text is text', expect: ['any'] },
      maxRequests: 2 * strings.length + 40,
      seeds: strings.map((_, i) => `/${i}`),
      robots: (socket) =>
        void socket.write(message('User-agent: *\nDisallow: /deeper/\n', ['Content-Type: text/plain'])),
      answer: (socket, { target }) => {
        const body = pages[Number(target.slice(1))];
        socket.write(
          body === undefined
            ? message('', [], '404 Not Found')
            : message(body, ['Content-Type: text/html; charset=utf-8']),
        );
      },
    },
  ];
}

function lines<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}

/** The data set writes control characters as escapes, and line ends as they are. */
function unescaped(text: string): string {
  return text
    .replace(/\n/g, '\r\n')
    .replace(/\\r/g, '\r')
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')
    .replace(/\\f/g, '\f')
    .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
