declare const canonical: unique symbol;
declare const hostKey: unique symbol;

/** An absolute http(s) URL in canonical form. Only `url/normalize` makes one. */
export type CanonicalUrl = string & { readonly [canonical]: true };

/** The key of politeness, budgets and queues: lower-case host, `:port` unless the default. http and https share it. */
export type HostKey = string & { readonly [hostKey]: true };

/** scheme://host[:port], what robots.txt and credentials belong to. */
export type Origin = string;
