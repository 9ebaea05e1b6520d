import { hash, scryptSync } from 'node:crypto';
import { type SettingKey, type Settings, settingOf } from '../base/settings/schema.ts';
import { settingName } from '../base/settings/setting-names.ts';
import type { Outcome } from '../contracts/crawl-task.ts';

/** Settings by which URLs were asked for and pages kept, as text. */
export type SettingsSnapshot = Readonly<Record<string, string>>;

/** Settings under which a URL may fare better, and the endings that they may turn. */
const TURNS: readonly { readonly keys: readonly SettingKey[]; readonly turns: (outcome: Outcome) => boolean }[] = [
  { keys: ['allowPrivate', 'allowHosts', 'hosts', 'proxy'], turns: endsIn('address', /^(dns|connect|proxy)-/) },
  { keys: ['dnsServers', 'ipFamily'], turns: endsIn('address', /^(dns|connect)-/) },
  { keys: ['robots', 'robotsAgent', 'robotsFallback'], turns: endsIn('robots') },
  { keys: ['storeNoindex', 'robotsAgent', 'robotsFallback'], turns: endsIn('directive') },
  { keys: ['mediaTypes', 'resources'], turns: endsIn('media-type') },
  {
    keys: ['maxBody', 'maxBodyByType', 'decodeMaxRatio'],
    turns: endsIn(undefined, /^(body-too-large|encoding-bomb)$/),
  },
  { keys: ['maxRedirects'], turns: endsIn(undefined, /^redirect-chain$/) },
  { keys: ['tlsVerify'], turns: endsIn(undefined, /^tls-/) },
  {
    keys: [
      'credentials',
      'header',
      'cookies',
      'cookieFiles',
      'login',
      'clientCertificates',
      'userAgent',
      'contact',
      'signatureKey',
    ],
    turns: endsIn(undefined, /^http-40[13]$|^login-failed$/),
  },
];

const HASH_BYTES = 16;

/** Settings that pages which are stored already do not follow. */
const OF_LATER_PAGES: readonly SettingKey[] = [
  ...(['mediaTypes', 'resources', 'storeNoindex', 'maxBody', 'maxBodyByType', 'acceptLanguage', 'sitemaps'] as const),
  ...(['text', 'documentTime', 'documentPages', 'documentUnpacked', 'nearDuplicates', 'nearThreshold'] as const),
  ...(['spam', 'render'] as const),
];

/** Settings by which files of this machine were read: who opens one later judges by them. */
const OF_FILES = ['filesExclude', 'filesGitignore', 'filesHidden', 'filesSafe'] as const satisfies SettingKey[];

const COMPARED = [...new Set([...TURNS.flatMap(({ keys }) => keys), ...OF_LATER_PAGES])];
const KEPT: readonly SettingKey[] = [...COMPARED, ...OF_FILES];

/** By which files the last run has read; empty where it is not known. */
export function filesSettingsOf(
  kept: SettingsSnapshot | undefined,
): Partial<Pick<Settings, (typeof OF_FILES)[number]>> {
  const read = OF_FILES.flatMap((key) => {
    const text = kept?.[key];
    const reading = text === undefined ? undefined : settingOf(key).kind.read(text, 'documented');
    return reading === undefined || 'wrong' in reading ? [] : [[key, reading.value] as const];
  });
  return Object.fromEntries(read);
}

/** Of a secret only what tells whether it is another one, and tells nothing more to who reads the folder. */
export function keptSettings(settings: Settings, random: () => number): SettingsSnapshot {
  const salt = Array.from({ length: 4 }, () => Math.floor(random() * 2 ** 32).toString(36)).join('-');
  return Object.fromEntries(KEPT.map((key) => [key, written(key, settings, salt)]));
}

/** Settings that are others than those of the run before; none where nothing is known of it. */
export function changedSettings(before: SettingsSnapshot | undefined, settings: Settings): SettingKey[] {
  if (before === undefined) return [];
  return COMPARED.filter((key) => before[key] !== undefined && !isSame(key, before[key], settings));
}

/** Whether the changed settings may turn an ending. */
export function mayTurn(changed: readonly SettingKey[], outcome: Outcome): boolean {
  return TURNS.some(({ keys, turns }) => keys.some((key) => changed.includes(key)) && turns(outcome));
}

/** What a user is to know of changed settings; `reopened`: URLs that are asked for once more. */
export function changeNotices(changed: readonly SettingKey[], reopened: number): string[] {
  const turning = changed.filter((key) => TURNS.some(({ keys }) => keys.includes(key)));
  const later = changed.filter((key) => OF_LATER_PAGES.includes(key));
  return [
    ...(reopened === 0
      ? []
      : [`${reopened} refused or failed ${reopened === 1 ? 'URL is' : 'URLs are'} tried again: ${named(turning)}.`]),
    // Such as an option that was left out by mistake, without which what waits would be refused, and the crawl be over.
    ...(reopened > 0 || turning.length === 0
      ? []
      : [
          `${named(turning)} since the last run: URLs that wait are judged by what holds now. The command that began the crawl resumes it as it was.`,
        ]),
    ...(later.length === 0
      ? []
      : [
          `${named(later)}: this holds for pages that are fetched from now on. Those that are stored stay as they are; to fetch them again, crawl into another folder.`,
        ]),
  ];
}

function named(keys: readonly SettingKey[]): string {
  return `${keys.map(settingName).join(', ')} ${keys.length === 1 ? 'has' : 'have'} changed`;
}

function isSame(key: SettingKey, before: string, settings: Settings): boolean {
  const { kind, secret } = settingOf(key);
  const [form, salt = ''] = before.split(' ');
  if (before === written(key, settings, salt)) return true;
  const text = kind.write(settings[key]);
  if (!secret || text === '') return false;
  // Earlier versions kept every proxy as a password is kept; and before that of a secret only that there was one.
  return before === 'set' || (form === 'secret' && !isGuarded(key, text) && before === guarded(text, salt));
}

function written(key: SettingKey, settings: Settings, salt: string): string {
  const { kind, secret } = settingOf(key);
  const text = kind.write(settings[key]);
  if (!secret || text === '') return text;
  return isGuarded(key, text) ? guarded(text, salt) : `address ${salt} ${hash('sha256', `${salt} ${text}`, 'base64')}`;
}

/** The address of a proxy without a password is nobody's business, but nothing that is worth guessing. */
function isGuarded(key: SettingKey, text: string): boolean {
  return key !== 'proxy' || text.includes('@');
}

/** Slow to guess: passwords that people choose are short. */
function guarded(text: string, salt: string): string {
  return `secret ${salt} ${scryptSync(text, salt, HASH_BYTES).toString('base64')}`;
}

function endsIn(refusedBy: string | undefined, failed?: RegExp): (outcome: Outcome) => boolean {
  return (outcome) => {
    if (outcome.kind === 'refused') return outcome.by === refusedBy;
    return outcome.kind === 'failed' && failed?.test(outcome.code) === true;
  };
}
