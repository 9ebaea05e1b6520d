import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A package that is no dependency of ours, to compare with: from the folder that BENCH_PEERS names (a node_modules),
 * else from wherever Node.js finds it. Undefined where there is none.
 */
export async function peerPackage<T>(name: string): Promise<T | undefined> {
  const peers = process.env.BENCH_PEERS;
  const places = [...(peers === undefined ? [] : [join(peers, 'peers.js')]), import.meta.filename];
  for (const place of places) {
    try {
      return (await import(pathToFileURL(createRequire(place).resolve(name)).href)) as T;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  return undefined;
}
