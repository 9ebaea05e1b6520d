import { isIP } from 'node:net';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Settings } from '../../base/settings/schema.ts';
import { userAgentOf } from '../../base/settings/user-agent.ts';
import type { Fetcher } from '../../contracts/fetcher.ts';
import type { HostKey } from '../../contracts/url.ts';
import type { BodyMemory } from '../../fetch/body/body-memory.ts';
import { type AddressGuard, createAddressGuard } from '../../fetch/connect/address-guard.ts';
import { DnsCache } from '../../fetch/connect/dns-cache.ts';
import { createDnsResolvers } from '../../fetch/connect/dns-resolvers.ts';
import { guardedAddress } from '../../fetch/connect/guarded-address.ts';
import { HostsFile } from '../../fetch/connect/hosts-file.ts';
import { type ConnectionAnswer, tryConnection } from '../../fetch/connect/try-connection.ts';
import { CookieJar } from '../../fetch/cookie-jar.ts';
import { createHttpFetcher } from '../../fetch/http-fetcher.ts';
import { SessionFetcher } from '../../fetch/login/session-fetcher.ts';
import { RequestSigner } from '../../fetch/signing/request-signer.ts';
import { readSigningKey } from '../../fetch/signing/signing-key.ts';
import { NO_PLUGINS, type Plugins } from '../../plugins/plugins.ts';
import { FILES_HOST } from '../../url/host-key.ts';
import { registrableDomain } from '../../url/public-suffix.ts';
import { FilesOrWeb } from '../files/files-or-web.ts';
import { PluginFetcher } from '../plugins/plugin-fetcher.ts';
import { fetcherOptionsOf } from '../settings-to-parts.ts';
import { keepsCookies, openPrivateAccess, type PrivateAccess } from './private-access.ts';

export interface Network extends AsyncDisposable {
  readonly fetcher: Fetcher;
  readonly dns: DnsCache;
  /** The first address of a host that will be asked soon, '' when it has none. Never rejects. */
  addressOf(host: HostKey): Promise<string>;
  /** Whether an origin can be connected to; sends nothing. */
  tryConnection(origin: string): Promise<ConnectionAnswer>;
}

/** The user waits for the answer. */
const LONGEST_TRY_MS = 5000;

/** The way out: names, guarded addresses, HTTP; `files`: who reads those of this machine; `guard`: in place of that of the settings. */
export function openNetwork(
  settings: Settings,
  version: string,
  clock: Clock = systemClock,
  memory?: BodyMemory,
  schemes: Plugins['fetchers'] = NO_PLUGINS.fetchers,
  files?: Fetcher,
  guard: AddressGuard = createAddressGuard({ allowPrivate: settings.allowPrivate, allowList: settings.allowHosts }),
): Network {
  const dns = new DnsCache(
    createDnsResolvers(settings.dnsServers),
    {
      family: settings.ipFamily,
      ttlMinMs: settings.dnsTtlMin,
      ttlMaxMs: settings.dnsTtlMax,
      notFoundMs: settings.dnsNegativeTtl,
      hosts: settings.hosts,
    },
    { clock, hostsFile: new HostsFile(systemHostsFile(), clock) },
  );
  const access = openPrivateAccess(settings);
  const { headers, credentials, certificates } = access;
  const signer = signerOf(settings, clock);
  const options = {
    ...{ ...fetcherOptionsOf(settings, version), headers, credentials, certificates },
    ...(signer === undefined ? {} : { signer }),
  };
  const http = createHttpFetcher(options, {
    clock,
    dns,
    guard,
    ...(memory === undefined ? {} : { memory }),
    ...(keepsCookies(settings) ? { cookies: jarWith(access, clock) } : {}),
  });
  const web =
    access.isPrivate === undefined
      ? http
      : new SessionFetcher({ web: http, recipes: access.logins, isPrivate: access.isPrivate });
  const ours = files === undefined ? web : new FilesOrWeb(files, web);
  const fetcher =
    schemes.size === 0
      ? ours
      : new PluginFetcher({
          ...{ web: ours, fetchers: schemes, clock },
          ...{ userAgent: options.userAgent, maxBytes: settings.maxBody, totalMs: settings.totalTimeout },
          addressOf: (hostname, port) => guardedAddress(hostname, port, dns, guard),
        });
  return {
    fetcher,
    dns,
    async addressOf(host) {
      // With a proxy names are resolved over there, and every host has the address of the proxy.
      if (settings.proxy.length > 0 || host === FILES_HOST) return '';
      const name = nameOf(host);
      if (isIP(name) !== 0) return name;
      const answer = await dns.lookAhead(name);
      return answer.kind === 'found' ? (answer.addresses[0] ?? '') : '';
    },
    tryConnection(origin) {
      const { tlsVerify: rejectUnauthorized, proxy: proxies } = settings;
      const connectMs = Math.min(settings.connectTimeout, LONGEST_TRY_MS);
      const userAgent = userAgentOf(settings, version);
      return tryConnection(origin, { userAgent, connectMs, rejectUnauthorized, proxies }, { clock, dns, guard });
    },
    async [Symbol.asyncDispose]() {
      await fetcher.close();
      dns.close();
    },
  };
}

function signerOf({ signatureKey, signatureAgent }: Settings, clock: Clock): RequestSigner | undefined {
  return signatureKey === '' ? undefined : new RequestSigner(readSigningKey(signatureKey), signatureAgent, clock);
}

function jarWith({ cookies }: PrivateAccess, clock: Clock): CookieJar {
  const jar = new CookieJar({}, { clock, registrableDomain });
  jar.keep(cookies);
  return jar;
}

/** Without port and without the brackets of an IPv6 address. */
function nameOf(host: HostKey): string {
  if (host.startsWith('[')) return host.slice(1, host.indexOf(']'));
  const colon = host.indexOf(':');
  return colon === -1 ? host : host.slice(0, colon);
}

function systemHostsFile(): string {
  const windows = process.env.SystemRoot;
  return windows === undefined ? '/etc/hosts' : join(windows, 'System32', 'drivers', 'etc', 'hosts');
}
