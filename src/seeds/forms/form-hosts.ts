import type { HostKey } from '../../contracts/url.ts';

/** Tells the hosts that the setting `forms` names: with their port, or on any; `*.` before a name stands for all below it. */
export function formHosts(named: readonly string[]): (host: HostKey) => boolean {
  const exact = new Set(named.filter((name) => !name.startsWith('*.')));
  const below = named.filter((name) => name.startsWith('*.')).map((name) => name.slice(1));
  return (host) => {
    const name = host.replace(/:\d+$/, '');
    return [host, name].some((one) => exact.has(one) || below.some((end) => one.endsWith(end)));
  };
}
