import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushRequest, PushResponse } from '../../../../src/contracts/push.ts';

export interface Loopback {
  readonly server: Server;
  /** http://127.0.0.1:port */
  readonly origin: string;
  close(): Promise<void>;
}

/** A real server on the loopback whose answers come from a push handler: the wiring that a web server will do. */
export async function listen(
  handle: (request: PushRequest) => Promise<Omit<PushResponse, 'notice'>>,
): Promise<Loopback> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = incoming;
    const response = await handle({ method, url, headers, body: Buffer.concat(chunks) });
    outgoing.writeHead(response.status, response.headers).end(response.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    server,
    origin,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
