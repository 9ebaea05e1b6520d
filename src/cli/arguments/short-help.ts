import { type Command, Help, type Option } from 'commander';
import type { SettingKey } from '../../base/settings/schema.ts';
import { settingFlags } from '../../base/settings/setting-flags.ts';

/** What most crawls are told, out of more than a hundred settings. */
const MOST_USED: ReadonlySet<string> = new Set<SettingKey>([
  ...(['scope', 'include', 'exclude', 'maxPages', 'maxDepth', 'maxDuration', 'order', 'topic', 'continuous'] as const),
  ...(['delay', 'retries', 'robots', 'contact', 'allowPrivate', 'credentials', 'index'] as const),
]);

/** `--help` of a command with a flag for every setting shows the most used ones, `--help-all` all of them. */
export function addShortHelp(command: Command): void {
  const settings: ReadonlySet<string> = new Set(settingFlags().map(({ key }) => key));
  const isSetting = (option: Option): boolean => settings.has(option.attributeName());
  let all = false;
  command.option('--help-all', `display help for command with all ${settings.size} settings`);
  command.on('option:help-all', () => {
    all = true;
    command.help();
  });
  command.configureHelp({
    // Only here: suggestions for a flag that is misspelt are made out of all visible options.
    formatHelp: (_command, helper) => {
      if (!all) {
        const { visibleOptions } = helper;
        helper.visibleOptions = (shown) =>
          visibleOptions
            .call(helper, shown)
            .filter((option) => !isSetting(option) || MOST_USED.has(option.attributeName()));
        helper.groupItems = (_all, visible, groupOf) =>
          Help.prototype.groupItems.call(helper, visible, visible, (item) =>
            'attributeName' in item && isSetting(item as Option) ? 'Settings, the most used:' : groupOf(item as never),
          ) as never;
      }
      return Help.prototype.formatHelp.call(helper, command, helper);
    },
  });
}
