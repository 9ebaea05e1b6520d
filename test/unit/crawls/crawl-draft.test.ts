import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { draftOf, EMPTY_DRAFT, settingsOfDraft } from '../../../src/crawls/crawl-draft.ts';
import { crawlFolder, freeName, nameProblem, ownFile, prepareLibrary } from '../../../src/crawls/library-folder.ts';
import { Templates } from '../../../src/crawls/templates.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

const draft = (fields: Record<string, string>) => draftOf(new URLSearchParams({ ...EMPTY_DRAFT, ...fields }));

async function problemsOf(fields: Record<string, string>): Promise<string[]> {
  const read = await settingsOfDraft(draft(fields));
  return 'problems' in read ? Object.keys(read.problems) : [];
}

describe('the draft of a crawl', () => {
  test('becomes settings in the words of the settings file', async () => {
    const read = await settingsOfDraft(
      draft({
        ...{ addresses: 'example.org\r\nhttps://example.com/docs/', scope: 'directory', maxPages: '10,000' },
        ...{ maxDuration: '2 h', topic: ' orb webs ', exclude: '/private/*\n*.zip', allowPrivate: 'yes' },
        repeat: 'continuous',
      }),
    );
    assert.ok('settings' in read);
    assert.deepEqual(read.settings.seeds, ['https://example.org/', 'https://example.com/docs/']);
    assert.deepEqual(read.settings.file, {
      ...{ seed: ['example.org', 'https://example.com/docs/'], scope: 'directory', topic: 'orb webs' },
      ...{ 'max-pages': '10000', 'max-duration': '2h', exclude: ['/private/*', '*.zip'] },
      ...{ 'allow-private': true, continuous: true },
    });
  });

  test('these pages alone: no link is followed', async () => {
    const read = await settingsOfDraft(draft({ addresses: 'https://example.org/a', scope: 'pages' }));
    assert.ok('settings' in read);
    assert.equal(read.settings.file['max-depth'], 0);
  });

  test('what is wrong is told at its field, all at once', async () => {
    assert.deepEqual(await problemsOf({}), ['addresses']);
    assert.deepEqual(await problemsOf({ topic: 'spiders' }), ['addresses'], 'a topic needs a place to begin');
    for (const addresses of ['/srv/documents', 'file:///srv', '~/x', 'C:\\x', 'mailto:a@b.example', 'http://'])
      assert.deepEqual(await problemsOf({ addresses }), ['addresses'], addresses);
    const wrong = {
      addresses: 'https://a.example/',
      maxPages: 'many',
      delay: 'soon',
      exclude: 're:(',
      maxDuration: '-1',
    };
    assert.deepEqual((await problemsOf(wrong)).sort(), ['delay', 'exclude', 'maxDuration', 'maxPages']);
    assert.deepEqual(await problemsOf({ addresses: 'https://a.example/', topic: 'x'.repeat(30_000) }), ['topic']);
  });

  test('folders may be named where nobody else can reach the app', async () => {
    using folder = temporaryFolder();
    const addresses = `${folder.path}\nhttps://a.example/`;
    assert.deepEqual(await problemsOf({ addresses }), ['addresses']);
    assert.deepEqual(await problemsOf({ addresses: `{"url": "${folder.path}"}` }), ['addresses']);
    const read = await settingsOfDraft(draft({ addresses }), true);
    assert.ok('settings' in read);
    assert.equal(read.settings.seeds[0], `${pathToFileURL(realpathSync(folder.path)).href}/`);
    assert.deepEqual(read.settings.file.seed, addresses.split('\n'));
    for (const wrong of ['./docs', '..', join(folder.path, 'none')])
      assert.ok('problems' in (await settingsOfDraft(draft({ addresses: wrong }), true)), wrong);
  });

  test('a form may hold anything', () => {
    const read = draftOf(new URLSearchParams({ scope: '"><script>', repeat: 'never', weekday: '1' }));
    assert.equal(read.scope, EMPTY_DRAFT.scope);
    assert.equal(read.repeat, 'once');
  });
});

describe('names of crawls', () => {
  test('a new one is a plain name on every file system', () => {
    for (const name of [
      '',
      '.',
      '..',
      '.hidden',
      'a/b',
      'a\\b',
      '../x',
      'a b',
      'x\0',
      'con',
      'NUL.txt',
      'a.',
      'ü',
      'x'.repeat(65),
    ])
      assert.notEqual(nameProblem(name), undefined, JSON.stringify(name));
    for (const name of ['example.org', 'a-b_c', '2026', 'console']) assert.equal(nameProblem(name), undefined, name);
  });

  test('a proposed one is free and allowed, whatever it comes from', () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, 'example.org'));
    assert.equal(freeName(folder.path, 'example.org'), 'example.org-2');
    for (const wanted of ['', '../../etc', '[::1]', 'con', '…', 'x'.repeat(300), 'münchen.example'])
      assert.equal(nameProblem(freeName(folder.path, wanted)), undefined, wanted);
  });

  test('what a request names leads nowhere but to folders of the library', () => {
    using folder = temporaryFolder();
    const library = join(folder.path, 'library');
    mkdirSync(join(library, '<b>&"\' x'), { recursive: true });
    mkdirSync(join(library, '.orbweaver'));
    writeFileSync(join(library, 'file'), '');
    for (const name of ['', '.', '..', '../library', '.orbweaver', 'file', 'none', 'a\0b', '/etc'])
      assert.equal(crawlFolder(library, name), undefined, JSON.stringify(name));
    assert.notEqual(crawlFolder(library, '<b>&"\' x'), undefined);
  });
});

test('own templates keep all answers but the addresses and the name, and survive a spoilt file', () => {
  using folder = temporaryFolder();
  prepareLibrary(folder.path);
  const templates = new Templates(folder.path);
  const builtIn = templates.list().length;
  assert.ok(builtIn >= 5);
  assert.equal(templates.save('Slow', draft({ addresses: 'https://a.example/', delay: '5s', name: 'a' })), undefined);
  assert.equal(templates.save('Slow', draft({ delay: '6s' })), undefined, 'the same name again takes its place');
  const own = new Templates(folder.path).list().slice(builtIn);
  assert.deepEqual(
    own.map(({ name, draft: { delay, addresses } }) => [name, delay, addresses]),
    [['Slow', '6s', '']],
  );
  assert.ok(templates.save(' ', draft({}))?.name);
  templates.remove(own[0].id);
  templates.remove('site');
  assert.equal(templates.list().length, builtIn);
  writeFileSync(
    ownFile(folder.path, 'templates.json'),
    '[null, 3, {"id": "x"}, {"id": "y", "name": "Y", "draft": {"scope": 7}}]',
  );
  assert.deepEqual(
    templates
      .list()
      .slice(builtIn)
      .map(({ name, draft: { scope } }) => [name, scope]),
    [['Y', 'domain']],
  );
});
