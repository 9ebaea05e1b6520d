declare const canonical: unique symbol;
declare const hostKey: unique symbol;

/** An absolute URL in canonical form: http(s), the scheme of a plug-in, or a file of this machine. Only `url/` makes one. */
export type CanonicalUrl = string & { readonly [canonical]: true };

/** The key of politeness, budgets and queues: lower-case host, `:port` unless the default. http and https share it. Files: `file:`. */
export type HostKey = string & { readonly [hostKey]: true };

/** scheme://host[:port], what robots.txt and credentials belong to. */
export type Origin = string;
