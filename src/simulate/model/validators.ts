/** What a client says of the copy it has. */
export interface Conditions {
  readonly ifNoneMatch?: string | undefined;
  readonly ifModifiedSince?: string | undefined;
}

/** What tells one version of a page from another. */
export interface Validators {
  /** With quotes and, where it is weak, W/. */
  readonly etag?: string;
  /** ms since the epoch; sent in whole seconds. */
  readonly modifiedAt?: number;
}

export function validatorHeaders({ etag, modifiedAt }: Validators): string[] {
  return [
    ...(etag === undefined ? [] : ['ETag', etag]),
    ...(modifiedAt === undefined ? [] : ['Last-Modified', new Date(modifiedAt).toUTCString()]),
  ];
}

/** Whether the client's copy is still good: the tag decides where one is given, then the date (RFC 9110, 13.2.2). */
export function isNotModified({ etag, modifiedAt }: Validators, conditions: Conditions): boolean {
  const { ifNoneMatch, ifModifiedSince } = conditions;
  if (ifNoneMatch !== undefined && etag !== undefined) {
    if (ifNoneMatch.trim() === '*') return true;
    return ifNoneMatch.split(',').some((tag) => opaque(tag.trim()) === opaque(etag));
  }
  if (ifModifiedSince === undefined || modifiedAt === undefined) return false;
  const since = Date.parse(ifModifiedSince);
  return Number.isFinite(since) && Math.floor(modifiedAt / 1000) * 1000 <= since;
}

/** Tags are compared weakly here, and a compressed answer has the tag of the plain one with a mark at its end. */
function opaque(tag: string): string {
  return tag.replace(/^W\//, '').replace(/-gzip"$/, '"');
}
