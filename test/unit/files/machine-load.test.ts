import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { whyPause } from '../../../src/files/machine-load.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

test('files rest on battery and under load, where that is wanted', () => {
  using folder = temporaryFolder();
  const supply = (name: string, facts: Readonly<Record<string, string>>): void => {
    mkdirSync(join(folder.path, name), { recursive: true });
    for (const [fact, value] of Object.entries(facts)) writeFileSync(join(folder.path, name, fact), `${value}\n`);
  };
  const machine = { load: () => 3.5, processors: 2, powerFolder: folder.path };
  assert.equal(whyPause(['battery'], machine), undefined);
  supply('mouse', { type: 'Battery', status: 'Discharging', scope: 'Device' });
  assert.equal(whyPause(['battery'], machine), undefined);
  supply('BAT0', { type: 'Battery', status: 'Discharging' });
  supply('AC', { type: 'Mains', online: '0' });
  assert.match(whyPause(['battery'], machine) ?? '', /battery/);
  supply('AC', { type: 'Mains', online: '1' });
  assert.equal(whyPause(['battery'], machine), undefined);
  assert.match(whyPause(['load'], machine) ?? '', /busy/);
  assert.equal(whyPause(['load'], { ...machine, load: () => 2.5 }), undefined);
  assert.equal(whyPause([], machine), undefined);
});
