import type { Link } from '../../contracts/content/page.ts';
import type { CrawlTask } from '../../contracts/crawl-task.ts';
import type { FoundUrl } from '../../contracts/plugin.ts';
import type { Plugins } from '../../plugins/plugins.ts';
import { ADMIT, type Rule, refuse } from '../../scope/rule.ts';

/** The filters of plug-ins as rules of the scope. One that throws refuses: the chain of rules sees to that. */
export function pluginRules({ filters }: Plugins): Rule[] {
  return filters.map(({ plugin, call }) => ({
    name: `plug-in ${plugin}`,
    forFiles: true,
    judge(task, link) {
      const answer = call(foundUrl(task, link));
      if (answer === true) return ADMIT;
      if (typeof answer === 'string') return refuse('scope', `plug-in ${plugin}: ${answer}`);
      throw new TypeError(`${String(answer)} is neither true nor a reason`);
    },
  }));
}

export function foundUrl({ url, depth, discovery }: CrawlTask, link?: Link): FoundUrl {
  return { url, depth, discovery, anchor: link?.text ?? discovery.anchor ?? '' };
}
