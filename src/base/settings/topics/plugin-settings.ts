import { list } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { text } from '../scalar-kinds.ts';

/** Programs of others that take part. */
export const pluginSettings = {
  plugins: setting(
    list(text('a module', undefined, '<module>'), 'space'),
    [],
    `Plug-ins: modules that fetch further schemes, read further media types, filter and order URLs, rank results, or take what was
    found. Paths begin with \`./\` and count from the working directory; other names are those of installed packages. They are
    programs and may do whatever you may. See [plug-ins](plugins.md).`,
  ),
};
