import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A folder of HTML on loopback. */
export async function serveHtml(folder: string): Promise<{ readonly origin: string } & AsyncDisposable> {
  const server = fork(new URL('./html-server.ts', import.meta.url), [folder]);
  const [port] = await once(server, 'message');
  return {
    origin: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}
