import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SETTINGS_SCHEMA } from '../../../../src/base/settings/schema.ts';
import { VirtualClock } from '../../../../src/base/virtual-clock.ts';
import { DEFAULT_GUARD_OPTIONS, LearningGuard } from '../../../../src/scope/traps/learning-guard.ts';
import { createTrapRules, type TrapRuleSettings } from '../../../../src/scope/traps/trap-rules.ts';
import { SyntheticWeb } from '../../../../src/simulate/model/synthetic-web.ts';
import { truth } from '../../../../src/simulate/model/truth.ts';
import { TRAP_GAUNTLET } from '../../../../src/simulate/model/web-presets.ts';
import { webSpec } from '../../../../src/simulate/model/web-spec.ts';
import { drive, taskOf } from './drive.ts';
import { syntheticSite } from './synthetic-site.ts';

const MOST_PER_TRAP = 60;

const DEFAULTS: TrapRuleSettings = {
  trapPathDepth: SETTINGS_SCHEMA.trapPathDepth.fallback,
  trapRepeats: SETTINGS_SCHEMA.trapRepeats.fallback,
  trapHostLabels: SETTINGS_SCHEMA.trapHostLabels.fallback,
  trapYearsAhead: SETTINGS_SCHEMA.trapYearsAhead.fallback,
  trapYearsBack: SETTINGS_SCHEMA.trapYearsBack.fallback,
  trapParameters: SETTINGS_SCHEMA.trapParameters.fallback,
  trapSessionIds: SETTINGS_SCHEMA.trapSessionIds.fallback,
};

describe('a small gauntlet, breadth-first and without network', () => {
  for (const seed of [3, 11]) {
    test(`web ${seed}: every trap is left soon, and no honest page is lost`, () => {
      const hosts = 8;
      const traps = Object.fromEntries(Object.keys(TRAP_GAUNTLET.traps).map((name) => [name, 0.2]));
      const spec = webSpec({ ...TRAP_GAUNTLET, seed, hosts, pagesPerHost: 150, traps });
      const web = new SyntheticWeb(spec, { mode: 'names', port: 8081, hostsPerAddress: 0 });
      const seeds = Array.from({ length: hosts }, (_, host) => `${web.hosts.origin(host)}/`);
      const known = truth(web, { seeds, agent: 'orbweaver', obeyPageNofollow: true, obeyLinkNofollow: true });
      const clock = new VirtualClock(Date.UTC(2026, 5, 15));
      const rules = createTrapRules(DEFAULTS, clock);
      const follows = (url: string): boolean => {
        if (web.hosts.find(new URL(url).host) < 0) return false;
        if (['disallowed', 'robots', 'asset'].includes(known.fateOf(url))) return false;
        const task = taskOf(url, 1, { how: 'link' });
        return rules.every((rule) => rule.judge(task).admit);
      };
      const guard = new LearningGuard(DEFAULT_GUARD_OPTIONS, clock);
      const { visited } = drive(guard, syntheticSite(web, seeds, follows), { most: 20_000, clock, msPerVisit: 20 });

      const perTrap = new Map<string, number>();
      for (const url of visited) {
        const { host, origin } = new URL(url);
        const located = web.locate(web.hosts.find(host), url.slice(origin.length));
        if (located.kind !== 'trap') continue;
        const trap = `${located.trap} of host ${web.hosts.parent(web.hosts.find(host))}`;
        perTrap.set(trap, (perTrap.get(trap) ?? 0) + 1);
      }
      assert.ok(perTrap.size > 10);
      for (const [trap, visits] of perTrap) assert.ok(visits <= MOST_PER_TRAP, `${trap}: ${visits} visits`);
      const asked = new Set(visited);
      const wanted = known.urls('stored');
      const missed = wanted.filter((url) => !asked.has(url));
      assert.ok(missed.length <= wanted.length * 0.01, `${missed.length} of ${wanted.length}: ${missed.slice(0, 5)}`);
    });
  }
});
