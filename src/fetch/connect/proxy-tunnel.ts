import type { Socket } from 'node:net';
import type { DeadlineSweep } from '../deadline-sweep.ts';
import { parseResponseHead } from '../response-head.ts';
import { ConnectFailure, ProxyFailure } from './connection.ts';

const MAX_HEAD_BYTES = 16 * 1024;

/** Not a matter of the target: the proxy refuses every tunnel to who has no right to it. */
const AUTHENTICATION_REQUIRED = 407;

export interface TunnelRequest {
  /** `host:port` of the proxy. */
  readonly proxy: string;
  /** `host:port` of the target. */
  readonly authority: string;
  readonly authorization?: string;
  readonly userAgent: string;
}

/** Asks a proxy for a tunnel (CONNECT). The socket is the tunnel when this resolves; else it has been destroyed. */
export async function openTunnel(
  socket: Socket,
  request: TunnelRequest,
  sweep: DeadlineSweep,
  deadlineAt: number,
): Promise<void> {
  const lines = [
    `CONNECT ${request.authority} HTTP/1.1`,
    `Host: ${request.authority}`,
    `User-Agent: ${request.userAgent}`,
  ];
  if (request.authorization !== undefined) lines.push(`Proxy-Authorization: ${request.authorization}`);
  try {
    const answer = readHead(socket, request.proxy, sweep, deadlineAt);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    const parsed = parseResponseHead(await answer);
    if (parsed.kind === 'invalid') throw new ProxyFailure(request.proxy, parsed.why);
    const { status } = parsed.head;
    if (status === AUTHENTICATION_REQUIRED) throw new ProxyFailure(request.proxy, 'answered 407: it asks who asks');
    if (status < 200 || status > 299) throw new ConnectFailure('connect-failed', `proxy answered ${status}`);
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function readHead(socket: Socket, proxy: string, sweep: DeadlineSweep, deadlineAt: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let bytes = Buffer.alloc(0);
    const watched = {
      check: (now: number) => {
        if (now >= deadlineAt) end(new ConnectFailure('connect-timeout', `no answer of the proxy ${proxy}`));
      },
    };
    const end = (failure?: ConnectFailure): void => {
      sweep.unwatch(watched);
      socket.off('readable', onReadable).off('close', onClose);
      if (failure === undefined) resolve(bytes.toString('latin1'));
      else reject(failure);
    };
    const onClose = (): void => end(new ProxyFailure(proxy, 'closed the connection'));
    const onReadable = (): void => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null) {
        bytes = Buffer.concat([bytes, chunk]);
        const blank = bytes.indexOf('\r\n\r\n');
        if (blank !== -1) {
          const rest = bytes.subarray(blank + 4);
          bytes = bytes.subarray(0, blank + 2);
          if (rest.length > 0) socket.unshift(rest);
          end();
          return;
        }
        if (bytes.length > MAX_HEAD_BYTES) {
          end(new ProxyFailure(proxy, 'headers too large'));
          return;
        }
      }
    };
    socket.on('readable', onReadable).on('close', onClose);
    sweep.watch(watched);
  });
}
