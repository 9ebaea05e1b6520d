/** The body of a measuring process: see in-child.ts. */
import { enableCompileCache } from 'node:module';

const module = process.argv[3];
// As the command does (bin/orbweaver.cjs): threads start in half the time.
enableCompileCache();

process.once('message', async (message: { readonly options: unknown }) => {
  const { measure } = await import(new URL(`../${module}`, import.meta.url).href);
  const result: unknown = await measure(message.options);
  const { user, system } = process.cpuUsage();
  const maxRssMb = Math.round(process.resourceUsage().maxRSS / 1024);
  process.send?.({ result, cpuSeconds: (user + system) / 1e6, maxRssMb }, () => process.disconnect());
});
