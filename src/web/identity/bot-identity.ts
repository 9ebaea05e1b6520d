import { isIP } from 'node:net';
import { OrbweaverError } from '../../base/errors.ts';
import type { Settings } from '../../base/settings/schema.ts';
import { userAgentOf } from '../../base/settings/user-agent.ts';
import { readSigningKey, type SigningKey } from '../../fetch/signing/signing-key.ts';

/** Who a crawler is, and how it behaves: what its operator publishes. */
export interface BotIdentity {
  /** By which robots.txt addresses it. */
  readonly token: string;
  readonly userAgent: string;
  /** '' where there is none. */
  readonly contact: string;
  readonly settings: Pick<
    Settings,
    'delay' | 'delayFactor' | 'maxAdaptiveDelay' | 'hostConcurrency' | 'robots' | 'robotsMaxAge' | 'followNofollow'
  >;
  /** Addresses and networks that its requests come from. */
  readonly ranges: readonly string[];
  /** Absent where requests are not signed. */
  readonly key?: SigningKey;
  /** The host that publishes the key. */
  readonly authority?: string;
}

/** The identity that settings give a crawler. `ranges`: networks such as 192.0.2.0/24, or single addresses. */
export function identityOf(settings: Settings, version: string, ranges: readonly string[]): BotIdentity {
  return {
    token: settings.robotsAgent,
    userAgent: userAgentOf(settings, version),
    contact: settings.contact,
    settings,
    ranges: ranges.map(networkOf),
    ...(settings.signatureKey === '' ? {} : { key: readSigningKey(settings.signatureKey) }),
    ...(settings.signatureAgent === '' ? {} : { authority: new URL(settings.signatureAgent).host }),
  };
}

/** With its length, which a single address has as well. */
function networkOf(text: string): string {
  const [address, length, ...more] = text.trim().toLowerCase().split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const asked = length === undefined ? bits : /^\d{1,3}$/.test(length) ? Number(length) : -1;
  if (bits > 0 && asked >= 0 && asked <= bits && more.length === 0) return `${address}/${asked}`;
  throw new OrbweaverError('USAGE', `--ranges takes addresses and networks, but got ${JSON.stringify(text)}.`, {
    remedy: 'Write them as 192.0.2.7, 192.0.2.0/24 or 2001:db8::/32, separated by commas.',
  });
}
