import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { existsSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { askTerminal } from '../../src/cli/arguments/ask-terminal.ts';
import { callProgram, type Ended } from '../called-program.ts';
import { listening } from '../unit/fetch/loopback.ts';
import { storedPages, temporaryFolder } from './crawl-web.ts';
import { everythingIn, PASSWORD, Site, serving } from './private-site.ts';

const LOCAL = ['--allow-private', '--delay', '0', '--delay-factor', '0'];
const env = { SITE_PASSWORD: PASSWORD };

/** `orbweaver login` against a server, into a folder. */
async function login(url: string, folder: string, ...more: readonly string[]): Promise<Ended> {
  const flags = ['--dir', folder, '--user', 'anna', '--password-env', 'SITE_PASSWORD', ...LOCAL];
  return await callProgram(['login', url, ...flags, ...more], { env });
}

test('a recipe is recorded, without a secret, and the next crawl logs in by it', async () => {
  using temporary = temporaryFolder();
  const site = new Site();
  await using server = await listening(createServer(site.answer));
  const origin = `http://127.0.0.1:${server.port}`;
  const folder = join(temporary.path, 'crawl');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'orbweaver.yaml'),
    '# mine\nscope: host\ndelay: 0\nallow-private: true\nworkers: 0\nnear-duplicates: false\ntrap-learning: false\n',
  );
  const { status, stdout, stderr } = await login(`${origin}/login`, folder, '--check', `${origin}/1`);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /HTTP 302.*\/welcome \(HTTP 200\)/);
  assert.match(stderr, /Cookies: sid\n/);
  assert.match(stderr, /by the text "Please sign in"/);
  const settings = readFileSync(join(folder, 'orbweaver.yaml'), 'utf8');
  assert.match(settings, /^# mine\nscope: host\n/);
  const [file] = (parse(settings) as { login: string[] }).login;
  assert.deepEqual(parse(readFileSync(file, 'utf8')), {
    page: `${origin}/login`,
    fields: { user: 'anna', password: '$' + '{SITE_PASSWORD}' },
    expired: 'Please sign in',
  });
  assert.equal(stdout, readFileSync(file, 'utf8'));
  const crawl = await callProgram(['crawl', `${origin}/1`, '--dir', folder, '--delay-factor', '0', '--no-index'], {
    env,
  });
  assert.equal(crawl.status, 0, crawl.stderr);
  assert.equal(storedPages(folder).length, 20);
  const everything = [stdout, stderr, crawl.stdout, crawl.stderr, everythingIn(folder)].join('\n');
  for (const secret of [PASSWORD, ...site.sessions]) assert.ok(!everything.includes(secret), secret.slice(0, 7));

  // Once more: what the user added stays, and nothing is named twice.
  writeFileSync(file, `${readFileSync(file, 'utf8')}avoid: /logout|/delete # dangerous\n`);
  const again = await login(`${origin}/login`, folder, '--check', `${origin}/2`);
  assert.match(again.stderr, /redirect to the login page/);
  assert.equal(readFileSync(join(folder, 'orbweaver.yaml'), 'utf8'), settings);
  assert.match(readFileSync(file, 'utf8'), /avoid: \/logout\|\/delete # dangerous\n/);
  assert.ok(!readFileSync(file, 'utf8').includes('expired'));
});

test('--print writes nothing; a wrong password, a form that is missing, no terminal: each with a remedy', async () => {
  using temporary = temporaryFolder();
  const site = new Site();
  await using server = await listening(createServer(site.answer));
  const origin = `http://127.0.0.1:${server.port}`;
  const folder = join(temporary.path, 'crawl');
  const printed = await login(`${origin}/login`, folder, '--print');
  assert.match(printed.stdout, /password: \$\{SITE_PASSWORD\}/);
  assert.ok(!existsSync(folder));
  const wrong = await callProgram(
    ['login', `${origin}/login`, '--dir', folder, '--user', 'anna', '--password-env', 'OTHER', ...LOCAL],
    { env: { OTHER: 'not-the-right-one' } },
  );
  assert.equal(wrong.status, 5);
  assert.match(wrong.stderr, /LOGIN_FAILED: .*form is shown again.*\n {2}Look at user name and password/);
  assert.ok(!wrong.stderr.includes('not-the-right-one'));
  const none = await login(`${origin}/welcome`, folder);
  assert.match(none.stderr, /LOGIN_FAILED: .*no form that asks for a password\.\n {2}Name the page/);
  const nobody = await callProgram(['login', `${origin}/login`, '--dir', folder, '--user', 'anna', ...LOCAL]);
  assert.match(nobody.stderr, /USAGE: .*no terminal.*\n {2}Name it with --password-env or --password-file/);
  const unset = await callProgram([
    'login',
    `${origin}/login`,
    '--dir',
    folder,
    '--user',
    'a',
    '--password-env',
    'NOT_SET_AT_ALL',
    ...LOCAL,
  ]);
  assert.match(unset.stderr, /SETTING_INVALID: .*NOT_SET_AT_ALL, which is not set/);
  const shown = await login(`${origin}/login`, folder, '--field', 'pin=1234');
  assert.match(shown.stderr, /USAGE: --field pin holds a secret itself/);
  assert.ok(!shown.stderr.includes('1234'));
  const guarded = await callProgram(['login', `${origin}/login`, '--dir', folder, '--user', 'a', '--delay', '0']);
  assert.match(guarded.stderr, /LOGIN_FAILED: .*\n.*(--allow-private|--no-robots)/);
  assert.ok(!existsSync(folder));
});

const FORM = '<form method=post action="/in"><input name=user><input type=password name=password></form>';

test('of several forms one is chosen, and the recipe names it; robots.txt is obeyed', async () => {
  using temporary = temporaryFolder();
  const taken: string[] = [];
  const register = FORM.replace('/in', '/register');
  await using server = await serving({
    '/robots.txt': 'User-agent: *\nDisallow: /forbidden',
    '/login': `<!-- ${FORM} -->${register}<title>Welcome</title>${FORM}`,
    '/forbidden': FORM,
    '/other': FORM.replace('name=password', 'name=geheim'),
    '/register': (_request, response) => response.writeHead(500).end(),
    '/in': (_request, response, sent) => {
      taken.push(sent.toString());
      response.writeHead(303, { location: '/home', 'set-cookie': 'sid=a-secret-of-the-session; Path=/' }).end();
    },
    '/home': (request, response) =>
      response.end(
        request.headers.cookie === undefined ? `<h1>Nobody</h1>${FORM}` : '<h1>Hi</h1><a href=/out>Log out</a>',
      ),
  });
  const unnamed = await login(`${server.origin}/login`, temporary.path);
  assert.match(unnamed.stderr, /USAGE: The page has 2 forms.*\n.*\/register.*\n.*\/in.*\n {2}Choose one with --form/);
  const { status, stderr, stdout } = await login(`${server.origin}/login`, temporary.path, '--form', '2');
  assert.equal(status, 0, stderr);
  assert.equal(taken.length, 1);
  assert.deepEqual(parse(stdout), {
    page: `${server.origin}/login`,
    action: `${server.origin}/in`,
    fields: { user: 'anna', password: '$' + '{SITE_PASSWORD}' },
    success: 'Log out',
    expired: 'action="/in"',
  });
  assert.ok(!`${stderr}${stdout}`.includes('a-secret-of-the-session'));
  const shown = await login(`${server.origin}/other`, temporary.path, '--field', 'geheim=swordfish');
  assert.match(shown.stderr, /USAGE: --field geheim holds a secret itself/);
  const forbidden = await login(`${server.origin}/forbidden`, temporary.path);
  assert.match(forbidden.stderr, /LOGIN_FAILED: robots\.txt forbids .*\n {2}.*--no-robots/);
});

test('a captcha, a second factor and a form of scripts are told, with the browser as remedy', async () => {
  using temporary = temporaryFolder();
  await using server = await serving({
    '/captcha': `${FORM.replace('/in', '/captcha-sent')}<div class="g-recaptcha"></div>`,
    '/captcha-sent': FORM.replace('/in', '/captcha-sent'),
    '/second': FORM.replace('/in', '/second-sent'),
    '/second-sent': '<form><input name=code autocomplete="one-time-code"></form>',
    '/scripted': '<div id=app></div><script src=/app.js></script>',
  });
  for (const [path, said] of [
    ['/captcha', /seems to ask for a captcha/],
    ['/second', /seems to ask for a second factor/],
    ['/scripted', /no form that asks for a password; scripts may build it/],
  ] as const) {
    const { status, stderr } = await login(`${server.origin}${path}`, temporary.path);
    assert.equal(status, 5);
    assert.match(stderr, said);
    assert.match(stderr, /--in-browser/);
  }
});

test('settings keep their mode, their link and what an alias stands for; a file of several recipes is left alone', async () => {
  using temporary = temporaryFolder();
  const [folder, elsewhere] = [join(temporary.path, 'crawl'), join(temporary.path, 'settings.yaml')];
  mkdirSync(folder);
  const mine = 'mine: &mine [a.yaml]\n';
  writeFileSync(elsewhere, `${mine.replace('mine:', 'cookie-files:')}login: *mine\n`, { mode: 0o600 });
  symlinkSync(elsewhere, join(folder, 'orbweaver.yaml'));
  await using server = await serving({
    '/login': FORM,
    '/in': (_request, response) =>
      response.writeHead(303, { location: '/home?session=of-this-user', 'set-cookie': 'sid=1; Path=/' }).end(),
    '/home?session=of-this-user': '<h1>Hi</h1>',
  });
  const { status, stderr } = await login(`${server.origin}/login`, folder);
  assert.equal(status, 0, stderr);
  assert.ok(!stderr.includes('of-this-user'), stderr);
  const file = join(folder, `login-127.0.0.1-${server.origin.split(':')[2]}.yaml`);
  assert.deepEqual(parse(readFileSync(elsewhere, 'utf8')), { 'cookie-files': ['a.yaml'], login: ['a.yaml', file] });
  assert.equal(statSync(elsewhere).mode & 0o777, 0o600);
  assert.ok(lstatSync(join(folder, 'orbweaver.yaml')).isSymbolicLink());
  const several = `- page: ${server.origin}/login\n  fields: { user: anna }\n`;
  writeFileSync(file, several);
  const again = await login(`${server.origin}/login`, folder);
  assert.equal(again.status, 5);
  assert.match(again.stderr, /LOGIN_FAILED: .*something else than one recipe.*\n {2}It was left as it is/);
  assert.equal(readFileSync(file, 'utf8'), several);
});

test('a redirect of the login page to what robots.txt forbids is not followed; a password in an address is not told', async () => {
  using temporary = temporaryFolder();
  let asked = 0;
  await using server = await serving({
    '/robots.txt': 'User-agent: *\nDisallow: /forbidden',
    '/login': (_request, response) => response.writeHead(302, { location: '/forbidden' }).end(),
    '/forbidden': (_request, response) => {
      asked++;
      response.end(FORM);
    },
  });
  const secret = await login('http://anna:swordfish@127.0.0.1:1/login', temporary.path);
  assert.match(secret.stderr, /INPUT_INVALID: "http:\/\/127/);
  assert.ok(!secret.stderr.includes('swordfish'));
  const { stderr } = await login(`${server.origin}/login`, temporary.path);
  assert.match(stderr, /LOGIN_FAILED: robots\.txt forbids .*\/forbidden/);
  assert.equal(asked, 0);
});

/** A terminal whose user types; tells what it shows. */
function terminal(typed: readonly string[]) {
  const modes: boolean[] = [];
  const events = new EventEmitter();
  const input = Object.assign(events, {
    isTTY: true as const,
    setRawMode: (mode: boolean) => modes.push(mode),
    resume() {
      for (const piece of typed) setImmediate(() => events.emit('data', Buffer.from(piece)));
    },
    pause() {},
  });
  const shown: string[] = [];
  return { input: input as never, modes, output: { write: (text: string) => shown.push(text) }, shown };
}

test('a password that is typed is not shown, nor read twice', async () => {
  const hidden = terminal(['secrex', '\u007f', 't', '\u00e9', '\r']);
  assert.equal(await askTerminal('Password: ', true, hidden), 'secret\u00e9');
  assert.deepEqual(hidden.shown, ['Password: ', '\n']);
  assert.deepEqual(hidden.modes, [true, false]);
  const open = terminal(['ann', 'a\n']);
  assert.equal(await askTerminal('User: ', false, open), 'anna');
  assert.equal(open.shown.join(''), 'User: anna\n');
  const ended = terminal(['x\u0003']);
  await assert.rejects(askTerminal('? ', true, ended), { code: 'USAGE' });
  assert.deepEqual(ended.modes, [true, false]);
});
