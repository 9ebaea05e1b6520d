import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OrbweaverError } from '../../../src/base/errors.ts';
import { loadSettingsFile } from '../../../src/base/settings/load-settings-file.ts';
import { resolveSettings, type SettingSources } from '../../../src/base/settings/resolve-settings.ts';
import { SETTING_KEYS, settingOf } from '../../../src/base/settings/schema.ts';
import { environmentName, settingName } from '../../../src/base/settings/setting-names.ts';
import { notPublic } from '../../../src/fetch/connect/address-guard.ts';
import { parseHosts } from '../../../src/fetch/connect/hosts-file.ts';
import { parseIp, parseSubnet } from '../../../src/fetch/connect/ip-address.ts';
import { parseProxyServer } from '../../../src/fetch/connect/proxy-server.ts';
import { readSeedLine } from '../../../src/seeds/seed-text.ts';
import { type FuzzTarget, promise, same, textOf } from '../target.ts';

const VALUES =
  '1 0 -1 1.5 1e9 2s 500ms 1d 1w 10MB 5k 1TiB auto none off on yes no true false null ~ [a,b] {a: b} "x" \'y\' - a a=b;c=d host=2s * ? & | > re:( re:[ */a* .pdf text/* example.com 10.0.0.0/8 ::1 https://example.com/ Name: value user:pw@h mailto:a@b ' +
  '! !!js/function !!binary &a *a <<: ---';

function withDocumentedErrors<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof OrbweaverError)) throw error;
    promise(error.message.length < 20_000, 'a message can be read', () => error.message.length);
    return undefined;
  }
}

function resolved(sources: SettingSources): void {
  const found = withDocumentedErrors(() => resolveSettings(sources));
  if (found === undefined) return;
  for (const key of SETTING_KEYS) {
    const { kind } = settingOf(key);
    const value = found.settings[key];
    const written = kind.write(value as never);
    // What is written in the documentation's form is read as the same value.
    if (found.origins[key] === 'default' || written === '') continue;
    const reading = kind.read(written, 'documented');
    if (!('wrong' in reading)) same(reading.value, value, `${key} can be written and read again`);
  }
}

const KNOWN = new Set(SETTING_KEYS.map(settingName));

export const settingsTarget: FuzzTarget = {
  name: 'settings',
  samples: [
    'delay: 2s\nmax-pages: 100\ninclude: ["*/a*", "re:^x"]\n',
    'user-agent: x\nheaders: ["A: b"]\nmax-body: 10MB\n',
    'ORBWEAVER_DELAY=2s',
  ],
  pieces: [
    ...SETTING_KEYS.map((key) => `${settingName(key)}: `),
    ...VALUES.split(' '),
    '\n',
    '\n  - ',
    '\n  ',
    ': ',
    ', ',
  ],
  maxLength: 600,
  run(input) {
    const text = textOf(input);
    const lines = text.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return colon === -1 ? [line, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
    const names = lines.filter(([name]) => KNOWN.has(name)).slice(0, 3);
    for (const [name, value] of names) resolved({ flags: { [name]: value } });
    if (input.length % 8 === 0) resolved({ flags: Object.fromEntries(lines) });
    const key = SETTING_KEYS[input.length % SETTING_KEYS.length];
    resolved({ env: { [environmentName(key)]: lines[0][1], [`ORBWEAVER_${lines[0][0]}`]: undefined } });
  },
};

const folder = mkdtempSync(join(tmpdir(), 'orbweaver-fuzz-settings-'));
const path = join(folder, 'orbweaver.yaml');

export const settingsFileTarget: FuzzTarget = {
  ...settingsTarget,
  name: 'settings-file',
  async run(input) {
    writeFileSync(path, input);
    let file: Record<string, unknown>;
    try {
      file = await loadSettingsFile(path);
    } catch (error) {
      if (error instanceof OrbweaverError) return;
      throw error;
    }
    resolved({ file });
  },
  close: () => rmSync(folder, { recursive: true, force: true }),
};

export const addressTarget: FuzzTarget = {
  name: 'addresses',
  samples: [
    '127.0.0.1 localhost\n::1 ip6',
    '10.0.0.0/8',
    'http://user:p%40w@proxy:3128',
    '{"url":"https://example.com/"}',
    'example.com # seed',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
  ],
  pieces:
    '127.0.0.1 0 255 256 . : :: ::ffff: /8 /128 /129 % %eth0 fe80 64:ff9b:: 2002: http:// https:// user: p%zz@ @ proxy :3128 :80 example.com localhost # {"url": } " null'
      .split(' ')
      .concat('\n', ' '),
  maxLength: 256,
  run(input) {
    const text = textOf(input);
    const octets = parseIp(text);
    promise(
      octets === undefined || octets.length === 4 || octets.length === 16,
      'an address has 4 or 16 octets',
      () => text,
    );
    parseSubnet(text);
    notPublic(text);
    parseHosts(text);
    withDocumentedErrors(() => parseProxyServer(text));
    for (const line of text.split('\n')) readSeedLine(line);
  },
};
