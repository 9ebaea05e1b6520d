import type { HostileCase, NameReply } from './hostile-case.ts';
import { message, page } from './hostile-message.ts';

const GONE = ['none', 'failed dns-not-found', 'failed dns-failed'];
const REFUSED = ['refused address', 'none'];
const INSIDE = ['10.0.0.1', '169.254.169.254', '192.168.1.1', '172.16.0.1', '0.0.0.0', '100.64.0.1'];

function named(
  name: string,
  resolve: (nth: number, address: string, type: 'A' | 'AAAA') => NameReply,
  expect: readonly string[],
  bound: string,
): HostileCase {
  return {
    ...{ name: `dns-${name}`, group: 'names', bound, expect, resolve },
    answer: (socket) => void socket.write(message(page(name))),
  };
}

/** For the address family of the question alone. */
function of(type: 'A' | 'AAAA', asked: 'A' | 'AAAA', reply: NameReply): NameReply {
  return type === asked ? reply : { addresses: [] };
}

/** Names whose answers lie. */
export const NAME_CASES: readonly HostileCase[] = [
  named('private', (_, __, type) => of('A', type, { addresses: INSIDE }), REFUSED, 'address guard'),
  named('metadata', (_, __, type) => of('A', type, { addresses: ['169.254.169.254'] }), REFUSED, 'address guard'),
  named('loopback-six', (_, __, type) => of('AAAA', type, { addresses: ['::1'] }), REFUSED, 'address guard'),
  named('mapped', (_, __, type) => of('AAAA', type, { addresses: ['::ffff:a00:1'] }), REFUSED, 'address guard'),
  named(
    'rebinding',
    (nth, address, type) => of('A', type, { addresses: [nth % 2 === 1 ? address : '169.254.169.254'], ttl: 0 }),
    ['stored', ...REFUSED],
    'judged at every connection',
  ),
  named(
    'mixed',
    (_, address, type) => of('A', type, { addresses: ['10.0.0.1', address] }),
    ['stored'],
    'only the public addresses are used',
  ),
  named('empty', () => ({ addresses: [] }), GONE, 'host parked after 3 failures'),
  named('no-such-name', () => ({ rcode: 3 }), GONE, 'host parked after 3 failures'),
  named('server-failure', () => ({ rcode: 2 }), GONE, 'host parked after 3 failures'),
  named('refused', () => ({ rcode: 5 }), GONE, 'host parked after 3 failures'),
  named('silence', () => 'silence', GONE, 'the time of a query'),
  named(
    'silence-six',
    (_, address, type) => (type === 'AAAA' ? 'silence' : { addresses: [address] }),
    ['stored'],
    'one family is enough',
  ),
  named(
    'alias-loop',
    () => ({ aliases: ['dns-alias-loop-b.test', 'dns-alias-loop.test'], addresses: [] }),
    GONE,
    'host parked after 3 failures',
  ),
  named(
    'alias-chain',
    (_, address, type) =>
      of('A', type, { aliases: Array.from({ length: 40 }, (_, i) => `alias-${i}.test`), addresses: [address] }),
    ['stored', ...GONE],
    'the name server follows them',
  ),
  named(
    'thousands',
    (_, address, type) =>
      of('A', type, { addresses: [address, ...Array.from({ length: 3000 }, (_, i) => `127.8.${i >> 8}.${i & 255}`)] }),
    ['stored', 'none', 'failed connect-refused'],
    'four addresses are tried',
  ),
  named(
    'thousands-dead',
    (_, __, type) => of('A', type, { addresses: Array.from({ length: 3000 }, (_, i) => `127.8.${i >> 8}.${i & 255}`) }),
    ['none', 'failed connect-refused'],
    'four addresses are tried',
  ),
  named(
    'ttl-huge',
    (_, address, type) => of('A', type, { addresses: [address], ttl: 0x7fffffff }),
    ['stored'],
    'dns-ttl-max',
  ),
];
