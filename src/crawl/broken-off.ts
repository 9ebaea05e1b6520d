/** The body ended on its way. One that was cut at our own limit is as long as it will ever be. */
export function isBrokenOff(visit: { readonly truncated?: string } | undefined): boolean {
  return visit?.truncated !== undefined && visit.truncated !== 'length';
}
