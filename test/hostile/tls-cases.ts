import type { Socket } from 'node:net';
import { createSecureContext, TLSSocket, type TLSSocketOptions } from 'node:tls';
import { type Certificate, selfSignedCertificate } from '../../src/simulate/server/self-signed-certificate.ts';
import { pour, repeated } from './byte-pour.ts';
import { type HostileCase, REQUEST_SECONDS } from './hostile-case.ts';
import { message, page } from './hostile-message.ts';

/** Handshakes that fail, each in its own way. The crawl trusts the one certificate. */
export function tlsCases(trusted: Certificate): readonly HostileCase[] {
  const INVALID = ['none', 'failed tls-invalid'];
  const FAILED = ['none', 'failed tls-failed'];
  const names = ['tls-self-signed.test', 'tls-expired.test', 'tls-not-yet-valid.test'];
  const unknown = selfSignedCertificate(names);
  const wrongName = selfSignedCertificate(['elsewhere.example']);
  const expired = selfSignedCertificate(names, { from: '200101000000Z', until: '20210101000000Z' });
  const future = selfSignedCertificate(names, { from: '490101000000Z', until: '20990101000000Z' });
  return [
    tls('self-signed', unknown, {}, INVALID, 'the certificate is not trusted'),
    tls('wrong-name', wrongName, {}, INVALID, 'the certificate is not trusted'),
    tls('expired', expired, {}, INVALID, 'the certificate is not trusted'),
    tls('not-yet-valid', future, {}, INVALID, 'the certificate is not trusted'),
    tls('old-version', trusted, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1' }, FAILED, 'TLS 1.2 at least'),
    tls(
      'no-common-cipher',
      trusted,
      { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' },
      FAILED,
      'the handshake fails',
    ),
    bare('garbage', (socket) => socket.end(Buffer.alloc(5000, 0x5a)), FAILED),
    bare('plain-http', (socket) => void socket.write(message(page('plain'))), FAILED),
    bare('closed', (socket) => socket.destroy(), FAILED),
    bare('silent', (socket) => void socket.resume(), FAILED, REQUEST_SECONDS.connect),
    bare('cut', (socket) => cutHandshake(socket), FAILED),
    bare('endless-record', (socket) => pour(socket, repeated(Buffer.from('160303400002003ffc', 'hex'))), FAILED),
    bare('alert', (socket) => socket.end(Buffer.from('15030300020228', 'hex')), FAILED),
    {
      ...{ name: 'tls-cut-in-body', group: 'tls', scheme: 'https', bound: 'kept as truncated, or reset' },
      expect: ['stored', 'duplicate', 'failed reset', 'failed protocol'],
      connect: (socket) => {
        const secured = secure(socket, trusted, {});
        secured.on('data', (bytes: Buffer) => {
          const robots = bytes.toString('latin1').startsWith('GET /robots.txt');
          if (robots) secured.write(message('', [], '404 Not Found'));
          else
            secured.write(message(page('cut')).subarray(0, 300), () => setTimeout(() => socket.resetAndDestroy(), 20));
        });
      },
    },
  ];
}

/** TLS on a bare connection, on the server's side. */
export function secure(
  socket: Socket,
  certificate: Certificate,
  options: TLSSocketOptions & Parameters<typeof createSecureContext>[0],
): TLSSocket {
  const secureContext = createSecureContext({ cert: certificate.cert, key: certificate.key, ...options });
  const secured = new TLSSocket(socket, { ...options, isServer: true, secureContext });
  secured.on('error', () => socket.destroy());
  return secured;
}

function tls(
  name: string,
  certificate: Certificate,
  options: Parameters<typeof createSecureContext>[0] & object,
  expect: readonly string[],
  bound: string,
): HostileCase {
  return {
    ...{ name: `tls-${name}`, group: 'tls', scheme: 'https', bound, expect },
    connect: (socket) => {
      const secured = secure(socket, certificate, options);
      secured.on('data', () => secured.write(message(page(name))));
    },
  };
}

function bare(
  name: string,
  connect: (socket: Socket) => void,
  expect: readonly string[],
  maxSeconds: number = REQUEST_SECONDS.connect,
): HostileCase {
  return { name: `tls-${name}`, group: 'tls', scheme: 'https', bound: 'connect-timeout', expect, maxSeconds, connect };
}

/** The first bytes of a server's hello go out, and then nothing more. */
function cutHandshake(socket: Socket): void {
  socket.once('data', () => {
    socket.write(Buffer.from('160303007a0200007603035a5a5a5a', 'hex'), () => socket.resetAndDestroy());
  });
}
