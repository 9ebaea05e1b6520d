import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DrivenApp, withoutBrowser } from './driven-app.ts';

test('a new crawl in a browser: what is wrong is told at its field, previewed, kept as a template, deleted, brought back, deleted for ever', {
  skip: withoutBrowser,
  timeout: 1_200_000,
}, async () => {
  await using driven = await DrivenApp.start();
  const { tab } = driven;
  await driven.open('new?template=directory');
  await driven.see('new');
  await driven.press('button[value="preview"]');
  assert.match(await driven.text('#addresses-wrong'), /at least one address/);
  await driven.see('new-wrong');

  // The preview looks at a site that is not there.
  await driven.fill('addresses', 'http://127.0.0.1:9/');
  await driven.press('button[value="preview"]');
  assert.match(await tab.evaluate('location.pathname'), /^\/plan\//);
  await tab.hold("document.querySelector('.plan h2') !== null");
  assert.match(await driven.text('.told'), /No page was found/);
  await tab.open(await tab.evaluate('location.href'));
  await driven.see('plan');

  await driven.open('new?addresses=http://127.0.0.1:9/&name=nowhere');
  await tab.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
  await driven.fill('template-name', 'My <b>own</b>');
  await driven.press('button[value="template"]');
  assert.match(await driven.text('main'), /My <b>own<\/b>/);
  await driven.see('templates');

  // It ends with an error, which its page explains.
  await driven.open('new?addresses=http://127.0.0.1:9/&name=nowhere');
  await driven.press('button[value="start"]');
  await driven.app.until('nowhere', ({ condition }) => condition === 'failed');
  await driven.open('manage/nowhere');
  assert.match(await driven.text('.standing'), /No page was stored/);
  await driven.see('manage-failed');

  // Only the fields that a choice needs are there.
  const fields = ['time', 'weekday', 'cron', 'timeZone'];
  const shownFor = async (choice: string): Promise<string[]> => {
    await driven.fill('repeat', choice);
    const isShown = await tab.evaluate<boolean[]>(
      `${JSON.stringify(fields)}.map((id) => document.getElementById(id).checkVisibility())`,
    );
    return fields.filter((_, at) => isShown[at]);
  };
  assert.deepEqual(await shownFor('weekly'), ['time', 'weekday', 'timeZone']);
  assert.deepEqual(await shownFor('daily'), ['time', 'timeZone']);
  assert.deepEqual(await shownFor('cron'), ['cron', 'timeZone']);
  assert.deepEqual(await shownFor('once'), []);

  await driven.press('a[href="/manage/nowhere/delete"]');
  await driven.press('form[action$="/delete"] button');
  await driven.open('trash');
  assert.match(await driven.text('.trash'), /nowhere/);
  await driven.see('trash');
  await driven.press('form[action="/trash/restore"] button');
  assert.equal(await driven.text('h1'), 'nowhere');
  await driven.press('a[href="/manage/nowhere/delete"]');
  await driven.press('form[action$="/delete"] button');
  await driven.open('trash');
  await driven.press('a[href^="/trash/purge"]');
  await driven.fill('confirm', 'another');
  await driven.press('form[action="/trash/purge"] button');
  assert.match(await driven.text('#confirm-wrong'), /not its name/);
  await driven.see('purge');
  await driven.fill('confirm', 'nowhere');
  await driven.press('form[action="/trash/purge"] button');
  assert.match(await driven.text('main'), /Nothing is in the trash/);
  assert.deepEqual(driven.wrong, []);
  // A form that was not right is answered with 422: that is meant.
  assert.deepEqual(
    tab.complaints.filter((complaint) => !complaint.includes('status of 422')),
    [],
  );
});
