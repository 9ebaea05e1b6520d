import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { SETTING_KEYS } from '../../../src/base/settings/schema.ts';
import { environmentName } from '../../../src/base/settings/setting-names.ts';
import { capacityTable } from '../../../tools/capacity.ts';
import { callProgram } from '../../called-program.ts';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string }[];
  readonly volumeMounts?: readonly { readonly name: string }[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly serviceName?: string;
    readonly template?: {
      readonly spec: { readonly containers: readonly Container[]; readonly securityContext: { runAsNonRoot: boolean } };
    };
    readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
  };
}

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
}

const compose = parse(read('compose.yaml'), { merge: true }) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const manifests = ['postgres', 'crawl'].flatMap((name) =>
  parseAllDocuments(read(`deploy/kubernetes/${name}.yaml`)).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS() as Manifest;
  }),
);
const containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);

/** Commands of the program, as lists of words; a script may hold several. */
function commandsOf({ command = [], args = [] }: Pick<Container, 'command' | 'args'>): string[][] {
  if (command[0] !== 'sh') return [[...args]];
  return [...args.join(' ').matchAll(/orbweaver ((?!-)[a-z][^;]*)/g)].map(([, words]) => words.split(/\s+/));
}

describe('what runs nodes elsewhere', () => {
  const ours = [
    ...Object.values(compose.services).flatMap(({ image, command = [] }) =>
      image === 'orbweaver' ? [[...command]] : [],
    ),
    ...containers.filter(({ image }) => image === 'orbweaver').flatMap(commandsOf),
  ];

  test('what others can reach asks for a token that is given to it', () => {
    const { environment = {} } = compose.services.web;
    assert.match(String(environment.ORBWEAVER_VIEW_TOKEN), /VIEW_TOKEN/);
    assert.ok(environment.ORBWEAVER_STORE, 'besides what all have');
    const web = containers.find(({ name }) => name === 'web');
    assert.ok(web?.env?.some(({ name }) => name === 'ORBWEAVER_VIEW_TOKEN'));
  });

  test('every command and flag is one of the program', async () => {
    assert.deepEqual([...new Set(ours.map(([name]) => name))].sort(), ['crawl', 'node', 'serve']);
    for (const [name, ...words] of ours) {
      const { stdout, status } = await callProgram([name, name === 'serve' ? '--help' : '--help-all']);
      assert.equal(status, 0);
      const known = new Set(stdout.match(/--[a-z][a-z-]*/g));
      for (const word of words.filter((one) => one.startsWith('--'))) assert.ok(known.has(word), `${name} ${word}`);
    }
  });

  test('every variable is a setting, or one that PostgreSQL, the store of archives and the manifests know', () => {
    const names = [
      ...Object.values(compose.services).flatMap(({ environment = {} }) => Object.keys(environment)),
      ...containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
      ...manifests.flatMap(({ data = {} }) => Object.keys(data)),
    ];
    const settings = new Set(SETTING_KEYS.map(environmentName));
    const others =
      /^(?:PGPASSWORD|PGDATA|(?:POSTGRES|MINIO_ROOT)_(?:USER|DB|PASSWORD)|AWS_(?:SECRET_)?ACCESS_KEY(?:_ID)?|POD_NAME|SEEDS)$/;
    assert.deepEqual(
      names.filter((name) => !settings.has(name) && !others.test(name)),
      [],
    );
    assert.ok(names.includes('ORBWEAVER_STORE'));
  });

  test('what they name is there: services, volumes, the database', () => {
    for (const { volumes = [], depends_on: needs = {} } of Object.values(compose.services)) {
      for (const volume of volumes) assert.ok(volume.split(':')[0] in compose.volumes, volume);
      for (const name of Object.keys(needs)) assert.ok(name in compose.services, name);
    }
    const stores = Object.values(compose.services).flatMap(({ environment }) => environment?.ORBWEAVER_STORE ?? []);
    assert.equal(stores.length, 4);
    for (const store of stores) assert.ok(new URL(store).hostname in compose.services, store);
    const namesOf = (kind: string): string[] =>
      manifests.filter((one) => one.kind === kind).map((one) => one.metadata.name);
    for (const { data } of manifests)
      if (data !== undefined) assert.ok(namesOf('Service').includes(new URL(data.ORBWEAVER_STORE).hostname));
    for (const { spec } of manifests) {
      if (spec?.template === undefined) continue;
      assert.ok(namesOf('Service').includes(String(spec.serviceName)));
      assert.equal(spec.template.spec.securityContext.runAsNonRoot, true);
      const claims = spec.volumeClaimTemplates?.map(({ metadata }) => metadata.name) ?? [];
      for (const { volumeMounts = [] } of spec.template.spec.containers)
        for (const { name } of volumeMounts) assert.ok(claims.includes(name), name);
    }
  });

  test('nodes have folders of their own, and the image runs without rights on the port of its server', async () => {
    const folders = Object.values(compose.services).flatMap(({ command = [] }) => {
      const at = command.findIndex((word) => word === '--folder' || word === '--dir');
      return at < 0 ? [] : [command[at + 1]];
    });
    assert.equal(new Set(folders).size, 3);
    const image = read('Dockerfile');
    assert.match(image, /^USER node$/m);
    const { stdout } = await callProgram(['serve', '--help']);
    const port = /^EXPOSE (\d+)$/m.exec(image)?.[1];
    assert.ok(port !== undefined && stdout.includes(`"${port}"`), port);
    assert.match(image, new RegExp(`^HEALTHCHECK [^]*127\\.0\\.0\\.1:${port}/healthz`, 'm'));
  });

  test('the table of capacities is that of the figures', () => {
    assert.ok(read('docs/operations.md').includes(capacityTable()), 'npx node tools/capacity.ts');
  });
});
