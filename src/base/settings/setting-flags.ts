import { madeOnce } from '../made-once.ts';
import { SETTING_GROUPS, type SettingKey, settingOf } from './schema.ts';
import { flagName, settingName } from './setting-names.ts';

/** What a command line needs to know of a setting. The value is passed on as text: `resolveSettings` reads it. */
export interface SettingFlag {
  readonly key: SettingKey;
  readonly group: string;
  /** `--max-pages <n>`, or `--robots` for a switch. */
  readonly usage: string;
  /** `--no-robots`, for switches alone. */
  readonly negatedUsage?: string;
  /** The default of a switch. */
  readonly on?: boolean;
  readonly repeatable: boolean;
  /** One line. */
  readonly help: string;
}

/** Every command that crawls takes them all. */
export const settingFlags = madeOnce((): readonly SettingFlag[] =>
  SETTING_GROUPS.flatMap((group) =>
    group.keys.map((key) => {
      const { kind, doc, fallback } = settingOf(key);
      const written = kind.write(fallback);
      const silent = written === '' || written.length > 30 || kind.name === 'boolean';
      const help = `${firstSentence(doc)}${silent ? '' : ` [${written}]`}`;
      const flag = { key, group: group.title, repeatable: kind.repeatable, help };
      return kind.name === 'boolean'
        ? { ...flag, usage: flagName(key), negatedUsage: `--no-${settingName(key)}`, on: fallback === true }
        : { ...flag, usage: `${flagName(key)} ${kind.placeholder}` };
    }),
  ),
);

function firstSentence(doc: string): string {
  const end = doc.search(/\.(?= |$)/);
  return doc.slice(0, end === -1 ? doc.length : end).replaceAll('`', '');
}
