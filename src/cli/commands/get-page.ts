import { systemClock } from '../../base/clock.ts';
import { shellWord } from '../../base/shell-word.ts';
import { type AskedCrawl, openAskedCrawl } from '../arguments/asked-crawl.ts';
import { askedTime } from '../arguments/asked-time.ts';
import { reportOfAsked } from '../arguments/asked-url.ts';
import { terminalLines } from '../output/terminal-text.ts';

export interface GetFlags {
  readonly headers?: boolean;
  readonly raw?: boolean;
  readonly rendered?: boolean;
  readonly text?: boolean;
  readonly markdown?: boolean;
  readonly links?: boolean;
  readonly anchors?: boolean;
  readonly at?: string;
}

/** Writes the stored page to standard output: byte for byte, but on a terminal with control characters made visible. */
export async function getPage(url: string, crawl: AskedCrawl, flags: GetFlags): Promise<void> {
  using reader = await openAskedCrawl(crawl, 'urls');
  const at = flags.at === undefined ? undefined : askedTime('--at', flags.at, systemClock.now());
  const asked = (await reportOfAsked(reader, url)).url;
  if (flags.anchors) {
    for await (const anchor of reader.anchorsTo(asked)) {
      await write(`${JSON.stringify({ ...anchor, at: new Date(anchor.at).toISOString() })}\n`);
    }
    return;
  }
  const answered = await reader.get(asked, at);
  // What a page says is what a browser shows, where it was shown in one; its bytes are those that were answered.
  const saysMore = flags.rendered || flags.text || flags.markdown || flags.links;
  const document = flags.rendered ? await reader.asPage(answered) : saysMore ? await reader.shown(answered) : answered;
  if (flags.rendered && document === answered)
    process.stderr.write('It was not rendered: this is the page as it was answered.\n');
  if (document.status >= 400)
    process.stderr.write(`There is no page: this is what the server said, with HTTP ${document.status}.\n`);
  if (flags.links) {
    for (const link of await reader.linksOf(document)) await write(`${JSON.stringify(link)}\n`);
    return;
  }
  if (flags.headers) {
    await write(`${document.statusLine}\r\n`);
    const { rawHeaders } = document;
    for (let i = 0; i + 1 < rawHeaders.length; i += 2) await write(`${rawHeaders[i]}: ${rawHeaders[i + 1]}\r\n`);
    await write('\r\n');
  }
  if (flags.text || flags.markdown) {
    const stored = flags.text ? await reader.textOf(document) : undefined;
    const { documentText } = await import('../../crawl/content/document-text.ts');
    const contentType = headerOf(document.rawHeaders, 'content-type');
    const form = flags.markdown ? 'markdown' : 'text';
    const { body, url, address = url } = document;
    const words = stored ?? (await documentText(body, address, contentType, form));
    if (words === '')
      process.stderr.write(`No text: orbweaver explain ${shellWord(asked)} ${reader.flag} says more.\n`);
    else await write(`${words}\n`);
    return;
  }
  await write(flags.raw ? document.raw : document.body);
}

function headerOf(rawHeaders: readonly string[], name: string): string | undefined {
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i].toLowerCase() === name) return rawHeaders[i + 1];
  return undefined;
}

/** Waits for the pipe, so that a large page is not cut when the process ends. */
function write(chunk: string | Uint8Array): Promise<void> {
  const { stdout } = process;
  return new Promise((resolve, reject) => {
    stdout.write(stdout.isTTY ? terminalLines(textOf(chunk)) : chunk, (error) => (error ? reject(error) : resolve()));
  });
}

function textOf(chunk: string | Uint8Array): string {
  return typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
}
