import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherAddress } from '../../../src/url/other-address.ts';

test('addresses that no crawl fetches are shown in plain form', () => {
  const cases: Readonly<Record<string, string | undefined>> = {
    'FTP://Example.ORG/a/../b//c?d#e': 'ftp://example.org/b/c?d',
    'file:/var//www/./x/..': 'file:/var/www/',
    'mailto:A@b.org': 'mailto:A@b.org',
    'http:///': 'http:/',
    'http://[::1': undefined,
    'no address': undefined,
  };
  for (const [input, form] of Object.entries(cases)) assert.equal(otherAddress(input), form, input);
});
