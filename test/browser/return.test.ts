import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endlessSite } from '../endless-site.ts';
import { isAlive, killProcess } from '../running-app.ts';
import type { BrowserTab } from './dev-tools.ts';
import { DrivenApp, operation, press, withoutBrowser } from './driven-app.ts';

const STORED = "Number(document.querySelector('.tiles .value').textContent.replaceAll(',', ''))";
const IS_LOST = `document.querySelector('.live [role="status"]').textContent.startsWith('No connection since ')`;
const CSRF = `document.querySelector('.controls input[name="csrf"]').value`;
const button = (what: string): string => `document.querySelector(${JSON.stringify(operation(what))})`;

/** That the page moves on with the crawl, and tells of no trouble. */
async function isLive(tab: BrowserTab): Promise<void> {
  const before = await tab.evaluate<number>(STORED);
  await tab.hold(`!${IS_LOST} && ${STORED} > ${before}`);
}

test('reload, two browsers, a killed app, app and crawl killed together: the view comes back, the crawl is not lost', {
  skip: withoutBrowser,
  timeout: 900_000,
}, async () => {
  await using site = await endlessSite();
  await using driven = await DrivenApp.start();
  const { tab } = driven;
  const draft = { addresses: site.url, scope: 'host', allowPrivate: 'yes', delay: '200ms', name: 'endless' };
  await driven.app.send('/new', { ...draft, do: 'start' });
  const begun = await driven.app.until('endless', ({ facts }) => (facts?.pages ?? 0) > 3);
  const dashboard = `${driven.app.url}crawls/endless/dashboard`;
  assert.equal((await fetch(dashboard)).status, 200);

  // Two browsers see the same, and what one does the other hears of.
  const other = await driven.anotherBrowser();
  await tab.open(dashboard);
  await other.open(dashboard);
  await Promise.all([isLive(tab), isLive(other)]);
  await press(tab, operation('pause'));
  await other.hold(`document.querySelector('[data-stands="paused"]') !== null && ${button('resume')} !== null`);
  await press(other, operation('resume'));
  await tab.hold(`document.querySelector('[data-stands="running"]') !== null && ${button('pause')} !== null`);
  await Promise.all([isLive(tab), isLive(other)]);

  // Loaded again: what was there is there.
  const before = await tab.evaluate<number>(STORED);
  await tab.open(dashboard);
  assert.ok((await tab.evaluate<number>(STORED)) >= before);

  // The app is killed: the pages say that they are old. The crawl goes on, and the next app shows it, without anybody loading anything.
  const csrf = await tab.evaluate<string>(CSRF);
  await driven.app.end('SIGKILL');
  await Promise.all([tab.hold(IS_LOST), other.hold(IS_LOST)]);
  assert.ok(isAlive(begun.run?.pid));
  await driven.restart();
  await Promise.all([isLive(tab), isLive(other)]);
  const adopted = await driven.app.until('endless', ({ condition }) => condition === 'running');
  assert.equal(adopted.run?.pid, begun.run?.pid);
  // Buttons of the page that stayed open become good for the new app.
  await tab.hold(`${CSRF} !== ${JSON.stringify(csrf)} && ${button('pause')} !== null`);
  await press(tab, operation('pause'));
  assert.match(await tab.evaluate('location.pathname'), /\/dashboard$/);
  await other.hold(`${button('resume')} !== null`);
  await press(other, operation('resume'));

  // The page of the library comes back as well.
  await other.open(`${driven.app.url}manage/endless`);

  // Both are killed: the next app goes on with what was meant to run, from where it was.
  const last = await driven.app.until('endless', ({ facts }) => facts?.pausedAt === undefined);
  await driven.app.end('SIGKILL');
  killProcess(last.run?.pid);
  await tab.hold(IS_LOST);
  await driven.restart();
  const resumed = await driven.app.until(
    'endless',
    ({ run, facts }) => run?.pid !== last.run?.pid && (facts?.pages ?? 0) > (last.facts?.pages ?? 0),
  );
  assert.equal(resumed.condition, 'running');
  await isLive(tab);
  assert.ok((await tab.evaluate<number>(STORED)) > (last.facts?.pages ?? 0), 'nothing that was stored is lost');
  await other.hold(
    `Number([...document.querySelectorAll('.facts-list div')].find((line) => line.textContent.startsWith('Pages')).querySelector('dd').textContent.replaceAll(',', '')) > ${last.facts?.pages}`,
  );
  await press(other, 'form[action="/manage/endless/stop"] button');
  await driven.app.until('endless', ({ condition }) => condition === 'stopped');
  const meant = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE/;
  assert.deepEqual(
    [...tab.complaints, ...other.complaints].filter((complaint) => !meant.test(complaint)),
    [],
  );
});

test('a token in a browser, below the mount of a crawl: log in, steer, look only, log out', {
  skip: withoutBrowser,
  timeout: 900_000,
}, async () => {
  const tokens = { ORBWEAVER_CONTROL_TOKEN: 'a-token-to-steer-by', ORBWEAVER_VIEW_TOKEN: 'a-token-to-look-by' };
  await using driven = await DrivenApp.start(tokens);
  const { tab } = driven;
  const logIn = async (token: string): Promise<void> => {
    await driven.fill('token', token);
    await driven.press('form.login button');
  };
  // Strangers are led to the login, whether there is such a crawl or not.
  await driven.open('crawls/demo/dashboard');
  assert.equal(await tab.evaluate('location.pathname + location.search'), '/login?to=%2Fcrawls%2Fdemo%2Fdashboard');
  await logIn('not-the-token');
  assert.match(await driven.text('[role="alert"]'), /not the token/);
  await driven.see('login');
  await driven.open('');
  await logIn(tokens.ORBWEAVER_CONTROL_TOKEN);
  assert.equal(await driven.text('h1'), 'Begin with a crawl');
  await driven.press('.demo button');
  await driven.app.until('demo', ({ facts }) => facts !== undefined);
  await driven.open('crawls/demo/dashboard');
  await driven.press(operation('pause'));
  assert.equal(await tab.evaluate('location.pathname'), '/crawls/demo/dashboard');
  await driven.press(operation('resume'));
  await driven.app.until('demo', ({ condition }) => condition === 'finished');

  // Whoever may only look has no buttons, and no forms.
  const reader = await driven.anotherBrowser();
  await reader.open(`${driven.app.url}crawls/demo/dashboard`);
  await reader.evaluate(`document.getElementById('token').value = '${tokens.ORBWEAVER_VIEW_TOKEN}'`);
  await press(reader, 'form.login button');
  assert.equal(await reader.evaluate('location.pathname'), '/crawls/demo/dashboard', 'back to what was asked for');
  const forms = "document.querySelectorAll('main form[method=post]').length";
  assert.equal(await reader.evaluate(forms), 0);
  for (const path of ['', 'new', 'manage/demo', 'templates', 'trash', 'crawls/demo/control']) {
    await reader.open(driven.app.url + path);
    assert.equal(await reader.evaluate(forms), 0, path);
  }

  // A session that has ended leads a page that is open to the login, instead of nowhere.
  await driven.open('');
  await tab.send('Network.clearBrowserCookies');
  await tab.hold("location.pathname === '/login'");
  await logIn(tokens.ORBWEAVER_CONTROL_TOKEN);
  await driven.open('login');
  await driven.press('form[action="/logout"] button');
  await driven.open('crawls/demo/report');
  assert.equal(await tab.evaluate('location.pathname'), '/login');
  assert.deepEqual(driven.wrong, []);
});
