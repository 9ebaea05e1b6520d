import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadPlugins, resolvePlugins } from '../../../src/plugins/load-plugins.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

const CONTEXT = { folder: '/crawl', userAgent: 'orbweaver-test' };
const module = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const load = (...codes: string[]) => loadPlugins(codes.map(module), CONTEXT);
const refused = (code: string, message: RegExp) =>
  assert.rejects(load(code), (error: Error & { code?: string }) => {
    assert.equal(error.code, 'PLUGIN_INVALID');
    assert.match(error.message, message);
    return true;
  });

describe('plug-ins', () => {
  test('are what a module exports, or what the function that it exports makes of the context', async () => {
    const plugins = await load(
      `export default { name: 'one', api: 1, filter: () => true, fetchers: { Gopher: async () => ({ status: 404 }) } }`,
      `export default async ({ folder }) => ({ name: 'in ' + folder, api: 1, onPage() {}, converters: { 'Text/X': () => ({}) } })`,
    );
    assert.deepEqual(plugins.names, ['one', 'in /crawl']);
    assert.deepEqual(plugins.schemes, ['gopher:']);
    assert.deepEqual([...plugins.converters.keys()], ['text/x']);
    assert.deepEqual([plugins.filters.length, plugins.handlers[0].plugin], [1, 'in /crawl']);
  });

  test('that cannot be used are named, with the reason', async () => {
    await refused('throw new Error("no licence")', /no licence/);
    await refused('export const plugin = {}', /neither a plug-in nor a function/);
    await refused('export default { api: 1, filter() {} }', /it has no name/);
    await refused('export default { name: "x", api: 2, filter() {} }', /written for version 2 .* this is version 1/);
    await refused('export default { name: "x", api: 1, fitler() {} }', /there is no part called fitler/);
    await refused('export default { name: "x", api: 1, filter: /a/ }', /filter is no function/);
    await refused('export default { name: "x", api: 1, fetchers: { "gemini:": () => {} } }', /without the colon/);
    await refused('export default { name: "x", api: 1, fetchers: { HTTP: () => {} } }', /HTTP cannot be taken over/);
    await refused(
      'export default { name: "x", api: 1, converters: { "text/html": () => {} } }',
      /cannot be taken over/,
    );
    await refused('export default { name: "x", api: 1, sink: {} }', /its sink has no write/);
    await refused('export default { name: "x", api: 1 }', /no part/);
    const twice = (name: string) => `export default { name: '${name}', api: 1, fetchers: { ftp: async () => ({}) } }`;
    await assert.rejects(load(twice('a'), twice('b')), /Two plug-ins have fetchers for ftp: a and b/);
  });

  test('evidence and signals that are no numbers within bounds end the run, with the name', async () => {
    const plugins = await load(
      `export default { name: 'odd', api: 1, evidence: ({ url }) => url.length, signal: ({ score }) => score }`,
    );
    const found = { url: 'http://a/', depth: 0, discovery: { how: 'seed' as const }, anchor: '' };
    assert.equal(plugins.evidenceOf(found), 9);
    const failed = { code: 'PLUGIN_FAILED', message: /plug-in odd: 1\d\d is no number from -100 to 100/ };
    assert.throws(() => plugins.evidenceOf({ ...found, url: `http://${'a'.repeat(100)}/` }), failed);
    const document = { url: 'http://a/', title: '', language: 'en', score: 2 };
    assert.equal(plugins.factorOf(document), 2);
    assert.throws(() => plugins.factorOf({ ...document, score: 0 }), { code: 'PLUGIN_FAILED' });
    assert.throws(() => plugins.factorOf({ ...document, score: Number.NaN }), { code: 'PLUGIN_FAILED' });
  });

  test('are found by path from the working directory, and by the name of a package', () => {
    using folder = temporaryFolder();
    const place = join(folder.path, 'node_modules', 'orbweaver-plugin-x');
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), '{"name":"orbweaver-plugin-x","main":"x.js"}');
    writeFileSync(join(place, 'x.js'), '');
    const [path, name, kept] = resolvePlugins(
      ['./mine.ts', 'orbweaver-plugin-x', 'data:text/javascript,0'],
      folder.path,
    );
    assert.match(path, /^file:.*\/mine\.ts$/);
    assert.match(name, /^file:.*\/node_modules\/orbweaver-plugin-x\/x\.js$/);
    assert.equal(kept, 'data:text/javascript,0');
    assert.throws(() => resolvePlugins(['no-such-package'], folder.path), { code: 'PLUGIN_INVALID' });
  });
});
