import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OrbweaverError } from '../base/errors.ts';
import type { Plugin, PluginContext, PluginFactory } from '../contracts/plugin.ts';
import { checkedPlugin } from './checked-plugin.ts';
import { NO_PLUGINS, Plugins } from './plugins.ts';

/** Loads the modules in this thread. `specifiers` as they come out of `resolvePlugins`. */
export async function loadPlugins(specifiers: readonly string[], context: PluginContext): Promise<Plugins> {
  if (specifiers.length === 0) return NO_PLUGINS;
  return new Plugins(
    await Promise.all(specifiers.map((specifier) => load(specifier, context))),
    specifiers.map(versionOf),
  );
}

/** Specifiers as URLs that mean the same in every thread: paths and packages from the working directory or from here. */
export function resolvePlugins(specifiers: readonly string[], workingFolder = process.cwd()): string[] {
  return specifiers.map((specifier) => {
    if (/^(?:file|data|node):/.test(specifier)) return specifier;
    if (/^\.{0,2}[/\\]/.test(specifier) || isAbsolute(specifier))
      return pathToFileURL(resolve(workingFolder, specifier)).href;
    for (const find of [
      () => import.meta.resolve(specifier),
      () => pathToFileURL(createRequire(join(workingFolder, 'package.json')).resolve(specifier)).href,
    ])
      try {
        return find();
      } catch {}
    throw invalid(specifier, 'it was not found', 'Write a path with ./ in front, or install the package.');
  });
}

function versionOf(specifier: string): string {
  const changed = specifier.startsWith('file:') ? statSync(new URL(specifier), { throwIfNoEntry: false })?.mtimeMs : '';
  return `${specifier} ${changed}`;
}

async function load(specifier: string, context: PluginContext): Promise<Plugin> {
  if (specifier.startsWith('file:') && !existsSync(new URL(specifier)))
    throw invalid(
      specifier,
      'there is no such file',
      'Check the path, or leave it out of `plugins`; paths count from the working directory.',
    );
  let exported: unknown;
  try {
    const module = (await import(specifier)) as { readonly default?: Plugin | PluginFactory };
    exported = typeof module.default === 'function' ? await module.default(context) : module.default;
  } catch (cause) {
    throw invalid(
      specifier,
      cause instanceof Error ? cause.message : String(cause),
      'Mend it, or leave it out of `plugins`.',
      cause,
    );
  }
  return checkedPlugin(exported, (why) => invalid(specifier, why, 'docs/plugins.md says what a plug-in exports.'));
}

function invalid(specifier: string, why: string, remedy: string, cause?: unknown): OrbweaverError {
  return new OrbweaverError('PLUGIN_INVALID', `The plug-in ${specifier} cannot be used: ${why}.`, { remedy, cause });
}
