/** Puts the data files that code reads at run time beside the built code: the compiler copies only what it compiles. */
import { cpSync, globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
for (const file of globSync(
  ['**/*.model', '**/*.json', 'web/assets/*', 'render/page-scripts/*.js', 'export/site-search/assets/*'],
  {
    cwd: join(root, 'src'),
  },
)) {
  cpSync(join(root, 'src', file), join(root, 'dist', file));
}
