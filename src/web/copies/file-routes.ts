import type { LocalFile } from '../../crawl/files/local-file-reader.ts';
import { messageReply } from '../frame/message-page.ts';
import { isForwarded } from '../http/access/access.ts';
import { DATA_POLICY, type Reply } from '../http/reply.ts';
import { urlOf, type WebRequest } from '../http/web-request.ts';
import { bitmapType } from './part-types.ts';

export interface LocalFiles {
  read(url: string): Promise<LocalFile | undefined>;
}

/** The viewer of the browser is no page of ours, and would not start within the sandbox. */
const PDF_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** A page as it was written, without what it could do: no scripts, no forms, nothing from elsewhere. */
const HTML_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

/**
 * Files of this machine as they are now, for browsers, which do not follow links to files from pages of a server. Only where nobody but this
 * machine can reach the server; whoever may not have it is told so.
 */
export class FileRoutes {
  readonly #files: LocalFiles | undefined;
  readonly #name: string;

  constructor(files: LocalFiles | undefined, name: string) {
    this.#files = files;
    this.#name = name;
  }

  async file(ask: WebRequest): Promise<Reply> {
    const url = urlOf(ask);
    if (this.#files === undefined || isForwarded(ask.headers))
      return this.#message(
        403,
        'Files are not shown',
        'Files are opened only where the server listens on this machine alone.',
      );
    const file = await this.#files.read(url);
    if (file === undefined)
      return this.#message(
        404,
        'No such file',
        `${url} is no file of this crawl, or it cannot be read now. The cached copy may still be there.`,
      );
    return fileReply(url, file);
  }

  #message(status: 403 | 404, title: string, text: string): Reply {
    return messageReply(this.#name, status, title, text);
  }
}

function fileReply(url: string, { mediaType, body }: LocalFile): Reply {
  const name = (URL.parse(url)?.pathname.split('/').at(-1) ?? '').replace(/[^\w.-]+/g, '_').slice(-100);
  const shown = shownAs(mediaType, body);
  const disposition = shown === undefined ? 'attachment' : 'inline';
  return {
    status: 200,
    headers: {
      'content-type': shown?.type ?? 'application/octet-stream',
      'content-disposition': `${disposition}; filename="${name.replace(/^\.+/, '') || 'document'}"`,
      'content-security-policy': shown?.policy ?? DATA_POLICY,
      'cache-control': 'no-store',
    },
    body,
  };
}

/** Undefined: it is saved. What is neither a page, a PDF nor a picture is shown as text, whatever it says it is. */
function shownAs(mediaType: string, body: Uint8Array): { readonly type: string; readonly policy: string } | undefined {
  const [essence] = mediaType.split(';');
  if (essence === 'application/pdf') return { type: essence, policy: PDF_POLICY };
  if (essence === 'text/html' || essence === 'application/xhtml+xml') return { type: 'text/html', policy: HTML_POLICY };
  const picture = bitmapType(body);
  if (picture !== undefined) return { type: picture, policy: DATA_POLICY };
  const isText = /^text\/|[/+](?:json|xml)$/.test(essence);
  return isText ? { type: 'text/plain', policy: DATA_POLICY } : undefined;
}
