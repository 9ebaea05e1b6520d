import type { HostileCase, HostileRequest } from './hostile-case.ts';
import { message } from './hostile-message.ts';

const CHAIN = [
  'redirected',
  'failed redirect-chain',
  'refused url',
  'refused trap',
  'duplicate',
  'failed redirect-invalid',
  'failed redirect-loop',
];

/** Redirects without end or sense. */
export const REDIRECT_CASES: readonly HostileCase[] = [
  redirect('redirect-to-itself', () => '/', CHAIN),
  redirect('redirect-loop-of-two', ({ target }) => (target === '/' ? '/b' : '/'), CHAIN),
  redirect('redirect-endless', ({ nth }) => `/step-${nth}`, CHAIN, 'max-redirects', 24),
  redirect('redirect-endless-query', ({ nth }) => `/?n=${nth}`, CHAIN, 'max-redirects', 24),
  redirect('redirect-growing', ({ target }) => `${target}/again`.replace('//', '/'), CHAIN, 'max-redirects', 24),
  redirect(
    'redirect-to-monster',
    () => `/${'x'.repeat(60_000)}`,
    ['redirected', 'failed redirect-invalid', 'refused url'],
    'max-url-length',
  ),
  redirect('redirect-to-javascript', () => 'javascript:alert(1)', [
    'redirected',
    'failed redirect-invalid',
    'refused url',
  ]),
  redirect('redirect-to-file', () => 'file:///etc/passwd', ['redirected', 'failed redirect-invalid', 'refused url']),
  redirect(
    'redirect-to-metadata',
    () => 'http://169.254.169.254/latest/meta-data/',
    ['redirected'],
    'scope, then the address guard',
  ),
  redirect('redirect-to-nothing', () => '', ['failed redirect-invalid']),
  redirect('redirect-to-noise', () => '\x01\x02http://[::1', ['redirected', 'failed redirect-invalid', 'refused url']),
  redirect(
    'redirect-to-credentials',
    ({ origin }) => `${origin.replace('//', '//user:secret@')}/login`,
    CHAIN,
    'max-redirects',
    24,
  ),
];

function redirect(
  name: string,
  to: (request: HostileRequest) => string,
  expect: readonly string[],
  bound = 'a known URL is not asked for again',
  maxRequests = 8,
): HostileCase {
  return {
    ...{ name, group: 'redirects', bound, expect, maxRequests },
    answer: (socket, request) => void socket.write(message('', [`Location: ${to(request)}`], '302 Found')),
  };
}
