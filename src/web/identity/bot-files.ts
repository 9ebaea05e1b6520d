import { DIRECTORY_PATH, DIRECTORY_TYPE, keyDirectory } from '../../fetch/signing/key-directory.ts';
import type { BotIdentity } from './bot-identity.ts';
import { BOT_STYLE, botPage } from './bot-page.ts';

export interface BotFile {
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/** The files of the site that tells of a crawler. `now`: when the address ranges count as published. */
export function botFiles(identity: BotIdentity, now: number): BotFile[] {
  const { ranges, key } = identity;
  return [
    { path: '/index.html', type: 'text/html; charset=utf-8', text: botPage(identity).markup },
    { path: '/style.css', type: 'text/css; charset=utf-8', text: BOT_STYLE },
    { path: '/ip-ranges.json', type: 'application/json', text: json(addressRanges(ranges, now)) },
    ...(key === undefined ? [] : [{ path: DIRECTORY_PATH, type: DIRECTORY_TYPE, text: json(keyDirectory(key)) }]),
  ];
}

/** In the form that the large search engines publish theirs in, which firewalls read. */
function addressRanges(ranges: readonly string[], now: number): object {
  return {
    creationTime: new Date(now).toISOString(),
    prefixes: ranges.map((range) => (range.includes(':') ? { ipv6Prefix: range } : { ipv4Prefix: range })),
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
