import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeProfile, noteBrowser, removeLeftovers } from '../../../src/render/browser-profile.ts';
import { browserPlaces, findBrowser } from '../../../src/render/find-browser.ts';
import { ScriptLinks } from '../../../src/render/script-links.ts';

test('browsers are found in the usual places of each system', () => {
  const linux = { platform: 'linux', env: { PATH: '/usr/bin:/opt/bin' } } as const;
  assert.equal(findBrowser({ ...linux, isProgram: (path) => path === '/opt/bin/chromium' }), '/opt/bin/chromium');
  assert.equal(findBrowser({ ...linux, isProgram: () => false }), undefined);
  const mac = browserPlaces({ platform: 'darwin', env: { HOME: '/Users/x' } });
  assert.ok(mac.includes('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'));
  const windows = browserPlaces({ platform: 'win32', env: { ProgramFiles: 'C:\\Program Files' } });
  assert.ok(windows.includes('C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'));
});

test('what a killed run left is removed, and nothing else', () => {
  const folder = mkdtempSync(join(tmpdir(), 'orbweaver-test-'));
  try {
    const profile = makeProfile();
    writeFileSync(join(profile, 'x'), '');
    // The number of a process that is no browser of ours: it must live on.
    noteBrowser(folder, { profile, pid: process.pid });
    removeLeftovers(folder);
    assert.ok(!existsSync(profile));
    assert.ok(!existsSync(join(folder, 'browser.json')));

    const foreign = join(folder, 'orbweaver-browser-x');
    mkdirSync(foreign);
    noteBrowser(folder, { profile: foreign, pid: 1 });
    removeLeftovers(folder);
    assert.ok(existsSync(foreign), 'a folder that is not where profiles are made stays');
    writeFileSync(join(folder, 'browser.json'), 'no JSON');
    removeLeftovers(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('links of scripts stand at the end of the page, each once', () => {
  const links = new ScriptLinks('https://a.test/x');
  for (const url of ['/y', 'https://a.test/y#part', '/x#top', 'javascript:void 0', 'mailto:a@b', '/z?a=1&b="2'])
    links.add(url, '<b>');
  const html = links.appendTo('<html><body><p>x</p></body></html>');
  assert.match(
    html,
    /<nav hidden data-orbweaver-links><a href="https:\/\/a\.test\/y">&lt;b&gt;<\/a>\n<a href="https:\/\/a\.test\/z\?a=1&amp;b=%222">/,
  );
  assert.match(html, /<\/nav><\/body><\/html>$/);
  assert.equal(links.list.length, 2);
});
