import type { FileTexts } from './repository.ts';
import { importsOf, targetOf } from './source-imports.ts';

const STAGES = [
  'seeds',
  'frontier',
  'fetch',
  'files',
  'render',
  'convert',
  'extract',
  'scope',
  'dedupe',
  'archive',
  'rank',
  'revisit',
  'index',
];

/** From the ground up. A folder imports itself and lower layers, never a neighbour. */
const LAYERS: readonly (readonly string[])[] = [
  ['base'],
  ['contracts'],
  ['url'],
  // Loads modules of others; knows none of ours.
  ['plugins'],
  STAGES,
  ['engines'],
  ['crawl', 'search', 'simulate'],
  // What a crawl tells of itself: metrics, health, logs, traces. What it answers to agents. What others take away of it.
  ['observe', 'mcp', 'export'],
  // Experiments on the crawler's own parts over the synthetic web.
  ['laboratory'],
  ['index.ts'],
  // Many crawls: each is a folder and a process.
  ['crawls'],
  ['web'],
  ['cli'],
];

/** Narrower than the layer: these may import nothing else from src. */
const ONLY: Readonly<Record<string, readonly string[]>> = {
  // Of the stages an engine needs the frontier's pure parts alone.
  engines: ['base', 'contracts', 'url', 'frontier'],
  // The synthetic web judges the crawler, so it must not share the code that it judges.
  simulate: ['base', 'contracts'],
};

/** The folders of engines; what lies directly in it is the way in for everybody else. */
const CONCRETE_ENGINE = /^src\/engines\/[^/]+\//;

/** May name a concrete engine. */
const ASSEMBLY = 'src/crawl/assemble.ts';

/** Imports what the user names. */
const LOADER = 'src/plugins/load-plugins.ts';

/** Folders that need nothing but Node. */
const WITHOUT_PACKAGES = new Set(['simulate']);

/** Files outside src that may be read. */
const OUTSIDE = new Set(['package.json']);

/** Imports in src that break the layers, in words. */
export function layerViolations(sources: FileTexts): string[] {
  const violations: string[] = [];
  for (const [file, source] of sources) {
    const part = partOf(file);
    if (rankOf(part) < 0) {
      violations.push(`${file}: src/${part} has no place in the layers`);
      continue;
    }
    for (const { specifier, line } of importsOf(source)) {
      if (specifier === undefined && file === LOADER) continue;
      const problem =
        specifier === undefined ? 'imports a name that is not a plain string' : judge(file, part, specifier);
      if (problem !== undefined) violations.push(`${file}:${line}: ${problem}`);
    }
  }
  return violations;
}

/** The contracts are types: nothing in them runs. */
export function contractViolations(sources: FileTexts): string[] {
  return [...sources].flatMap(([file, source]) =>
    source.split('\n').flatMap((text, at) => {
      const runs = /^(?:export )?(?:default |async )*(?:const|let|var|function|class|enum)\b/.test(text);
      return runs ? [`${file}:${at + 1}: a contract holds types only`] : [];
    }),
  );
}

function judge(file: string, part: string, specifier: string): string | undefined {
  const target = targetOf(file, specifier);
  if (target === undefined) {
    const allowed = specifier.startsWith('node:') || !WITHOUT_PACKAGES.has(part);
    return allowed ? undefined : `${part} uses no packages, but imports ${specifier}`;
  }
  if (!target.startsWith('src/'))
    return OUTSIDE.has(target) ? undefined : `src imports nothing outside itself, but ${target}`;
  const other = partOf(target);
  if (other === part) return undefined;
  const allowed = ONLY[part]?.includes(other) ?? rankOf(other) < rankOf(part);
  if (!allowed || rankOf(other) < 0) return `${part} may not import ${other} (${specifier})`;
  const namesEngine = CONCRETE_ENGINE.test(target) && file !== ASSEMBLY;
  return namesEngine ? `a concrete engine is named in src/engines alone, but imports ${specifier}` : undefined;
}

/** src/base/settings/kind.ts -> base */
function partOf(path: string): string {
  return path.split('/')[1];
}

function rankOf(part: string): number {
  return LAYERS.findIndex((layer) => layer.includes(part));
}
