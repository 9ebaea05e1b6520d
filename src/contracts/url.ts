declare const canonical: unique symbol;
declare const hostKey: unique symbol;

/** An absolute http(s) URL in canonical form. Only `url/normalize` makes one. */
export type CanonicalUrl = string & { readonly [canonical]: true };

/**
 * What politeness, budgets and queues are kept by: the lower-case host name, with `:port` where it is not the
 * scheme's default. http and https on their default ports share one key: they are one server.
 */
export type HostKey = string & { readonly [hostKey]: true };

/** scheme://host[:port], what robots.txt and credentials belong to. */
export type Origin = string;
