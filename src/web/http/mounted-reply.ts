import type { Reply } from './reply.ts';

/** Attributes that hold an address of ours. Values that come from outside cannot hold the quotation mark: the template escapes it. */
const OWN_ADDRESS = /(\s(?:href|src|action|formaction|data-[\w-]+)=")\/(?!\/)/g;
/** Where the frame of a page leaves room for the ways back: to all crawls, and to what is done with this one. */
export const LIBRARY_MARK = '<!--library-->';

/**
 * A reply of an app that is one of several on this server: addresses that begin at its root begin at its mount. Stored pages come
 * with a policy of their own and with whole addresses, and are left alone.
 */
export function mountedReply(reply: Reply, mount: string): Reply {
  if (mount === '') return reply;
  const { location, ...headers } = reply.headers;
  const moved = location?.startsWith('/') ? mount + location : location;
  const isPage = headers['content-type']?.startsWith('text/html') && headers['content-security-policy'] === undefined;
  return {
    ...reply,
    headers: moved === undefined ? headers : { ...headers, location: moved },
    body: isPage && typeof reply.body === 'string' ? mountedMarkup(reply.body, mount) : reply.body,
  };
}

/** Markup of ours, with its addresses below the mount. */
export function mountedMarkup(markup: string, mount: string): string {
  if (mount === '') return markup;
  return markup
    .replace(OWN_ADDRESS, (_, attribute: string) => `${attribute}${mount}/`)
    .replace(
      LIBRARY_MARK,
      `<li><a href="/">All crawls</a></li><li><a href="${mount.replace('/crawls/', '/manage/')}">Manage</a></li>`,
    );
}
