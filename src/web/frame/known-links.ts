import { type Html, html } from './html.ts';
import { ownLink, readableAddress, withoutMisleading } from './links.ts';
import { oneLineAddress } from './one-line-address.ts';

/** To all that is known of a host. */
export function hostLink(host: string): Html {
  return html`<a href="${ownLink('/host', { name: host })}"><bdi>${withoutMisleading(host)}</bdi></a>`;
}

/** To all that is known of a page; its address stays on one line. */
export function pageLink(url: string): Html {
  const { host, path } = readableAddress(url);
  return html`<a href="${ownLink('/page', { url })}">${oneLineAddress([host, ...path].join('/'), url)}</a>`;
}
