// Runs first in every thread. An import of one of our own files by its path names the very file: whoever takes it at its
// word saves the questions to the file system that the platform asks, for each of some hundred files, a third of what
// loading them costs.
const { registerHooks } = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const ROOT = pathToFileURL(join(__dirname, '..', '/')).href;
const OTHERS = `${ROOT}node_modules/`;
const FORMATS = { '.ts': 'module-typescript', '.js': 'module' };

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context;
    const format = specifier.startsWith('.') ? FORMATS[specifier.slice(-3)] : undefined;
    if (format === undefined || !parentURL.startsWith(ROOT) || parentURL.startsWith(OTHERS))
      return next(specifier, context);
    return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
  },
});
