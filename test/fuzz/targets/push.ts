import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { VirtualClock } from '../../../src/base/virtual-clock.ts';
import type { PushRequest, WebSubSubscription } from '../../../src/contracts/push.ts';
import { answerContent, answerVerification } from '../../../src/seeds/push/hub-callback.ts';
import { indexNowLimits } from '../../../src/seeds/push/indexnow-inbox.ts';
import { readSubmission } from '../../../src/seeds/push/indexnow-submission.ts';
import { judgeKeyFile } from '../../../src/seeds/push/key-check.ts';
import { requestTarget } from '../../../src/seeds/push/push-answer.ts';
import { subscriptionTimes } from '../../../src/seeds/push/subscription-life.ts';
import { defaultUrlOptions } from '../../../src/url/url-options.ts';
import { PushRoutes } from '../../../src/web/push-routes.ts';
import { WebApp } from '../../../src/web/web-app.ts';
import { SmallReader } from '../../unit/web/small-reader.ts';
import { SmallSearch } from '../../unit/web/small-search.ts';
import { COPIES, DOCUMENTS } from '../../unit/web/spider-web.ts';
import { type FuzzTarget, promise, same, textOf } from '../target.ts';

const NOW = Date.UTC(2026, 4, 4);

export const indexNowTarget: FuzzTarget = {
  name: 'indexnow',
  samples: [
    '{"host":"example.com","key":"0123456789abcdef","keyLocation":"https://example.com/k.txt","urlList":["https://example.com/a","https://example.com/b"]}',
    '/indexnow?url=https%3A%2F%2Fexample.com%2Fa&key=0123456789abcdef',
  ],
  pieces:
    '{ } [ ] , : "host" "key" "keyLocation" "urlList" "example.com" "example.com:8080" "0123456789abcdef" "https://example.com/a" "http://other.example/" null 5 true \\u0000 /indexnow? url= key= & %2F "@" "a b"'.split(
      ' ',
    ),
  maxLength: 1_024,
  run(input) {
    const requests: PushRequest[] = [
      { method: 'POST', url: '/indexnow', headers: {}, body: input },
      { method: 'GET', url: textOf(input), headers: {}, body: new Uint8Array() },
      { method: 'GET', url: `/indexnow?${textOf(input)}`, headers: {}, body: new Uint8Array() },
    ];
    for (const request of requests) {
      const reading = readSubmission(request, indexNowLimits, defaultUrlOptions);
      same(readSubmission(request, indexNowLimits, defaultUrlOptions), reading, 'a submission is read the same twice');
      if (reading.kind === 'wrong') continue;
      const { host, keyUrl, urls } = reading.submission;
      for (const url of [keyUrl, ...urls]) {
        const parsed = new URL(url);
        promise(
          parsed.host.replace(/\.$/, '') === host.replace(/\.$/, ''),
          'a submission names one host',
          () => reading,
        );
      }
    }
  },
};

const HELD: WebSubSubscription = {
  ...{ id: 'abcdefghijklmnopqrstuvwx', hub: 'https://hub.example/', topic: 'https://example.com/feed', secret: 's' },
  ...{ state: 'active', leaseSeconds: 1_000, actAt: 0, tries: 0, moves: 0 },
};

export const webSubTarget: FuzzTarget = {
  name: 'websub',
  samples: [
    '/push/websub/abcdefghijklmnopqrstuvwx?hub.mode=subscribe&hub.topic=https%3A%2F%2Fexample.com%2Ffeed&hub.challenge=x&hub.lease_seconds=60',
    'sha256=0123\n<feed/>',
    '200 text/plain 0123456789abcdef',
  ],
  pieces:
    'hub.mode= subscribe unsubscribe denied & = hub.topic=https://example.com/feed hub.challenge= hub.lease_seconds= 99999999999 -1 hub.reason= sha1= sha256= sha512= 00ff \n ? /push/websub/ http://[ //'.split(
      ' ',
    ),
  maxLength: 1_024,
  run(input) {
    const text = textOf(input);
    const request: PushRequest = {
      method: 'POST',
      url: text,
      headers: { 'x-hub-signature': text.split('\n')[0] },
      body: input,
    };
    requestTarget(request);
    for (const state of ['asking', 'active', 'leaving', 'left', 'denied'] as const) {
      const held = { ...HELD, state };
      const query = new URLSearchParams(text.slice(text.indexOf('?') + 1));
      const { response, becomes } = answerVerification(held, query, NOW, subscriptionTimes);
      promise(response.status >= 200 && response.status < 500, 'a hub gets an answer', () => response);
      promise(becomes?.until === undefined || Number.isFinite(becomes.until), 'a lease ends', () => becomes);
      const answer = answerContent(held, request, NOW, 100_000);
      promise(answer.notice?.kind !== 'content', 'nobody can sign without the secret', () => answer.notice);
    }
    judgeKeyFile({ kind: 'answer', status: 200, body: text } as never, 'https://example.com/k.txt', '0123456789abcdef');
  },
};

const faults: unknown[] = [];
const app = new WebApp({
  search: new SmallSearch(DOCUMENTS),
  reader: new SmallReader(COPIES),
  title: 'Fuzz <b>',
  push: new PushRoutes({
    desk: { takes: () => true, handle: async () => ({ status: 200, headers: {}, body: '' }) },
    clock: new VirtualClock(NOW),
    address: 'https://crawler.example',
    maxBytes: 1_000,
    limits: { bytesPerMinute: Number.MAX_SAFE_INTEGER },
  }),
  onFault: (fault) => faults.push(fault),
});

interface Answered {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly body: string;
}

/** The app without sockets: whatever Node's parser lets through may come in. */
async function ask(method: string, url: string, host: string, body: Uint8Array): Promise<Answered> {
  const request = Object.assign(new PassThrough(), {
    ...{ method, url, headers: { host }, rawHeaders: ['host', host] },
    socket: { remoteAddress: '127.0.0.1' },
  });
  request.end(body);
  const answered = { status: 0, headers: {} as Record<string, unknown>, body: '' };
  const response = Object.assign(new EventEmitter(), {
    destroyed: false,
    setHeader: (name: string, value: unknown) => {
      answered.headers[name.toLowerCase()] = value;
    },
    writeHead(status: number, ...rest: unknown[]) {
      answered.status = status;
      for (const [name, value] of Object.entries((rest.at(-1) ?? {}) as object))
        answered.headers[name.toLowerCase()] = value;
      return this;
    },
    end(sent?: unknown) {
      answered.body = String(sent ?? '');
    },
  });
  await app.handle(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  return answered;
}

/** Outside of texts: a script of its own, or an address that is one. What is typed may stand in the value of a field. */
const RUNS = /<script>|\s(?:href|src|action|formaction)="\s*javascript:/i;

export const webAppTarget: FuzzTarget = {
  name: 'web-app',
  samples: [
    'GET /search?q=spider&page=2',
    'GET /cached?url=https%3A%2F%2Fa.example%2F&as=text',
    'GET /diff?url=x&from=2026-05-04&to=1',
    'GET /go?url=javascript:x',
    'POST /indexnow {}',
    'GET /changes.json?kinds=new&before=5',
  ],
  pieces: [
    ...'GET POST HEAD /search? /search.rss? /opensearch.xml /suggest? /api/search? /api/complete? /api/explain? /cached? /versions? /diff? /go? /changes? /changes.atom /changes.json? /dashboard /healthz /help / q= page= per= url= at= as=text live=1 from= to= kinds= before= after= & = % %00 %ff %2e%2e/ // /../ \\ <script> "onload= javascript: data: 1 0 -1 1e9 2026-05-04 site:a'.split(
      ' ',
    ),
    ...COPIES.slice(0, 2).map(({ url }) => encodeURIComponent(url)),
    ' ',
  ],
  maxLength: 600,
  async run(input) {
    const typed = textOf(input);
    const [method, url = '/', ...rest] = typed.split(' ');
    // Node's parser lets only these through.
    const target = url.replace(/[^!-~\x80-\xff]/g, '').slice(0, 400);
    const answered = await ask(method === 'POST' ? 'POST' : 'GET', target, 'localhost', Buffer.from(rest.join(' ')));
    const [fault] = faults.splice(0);
    if (fault !== undefined) throw fault;
    promise(answered.status >= 200 && answered.status < 500, 'every request gets an answer', () => [
      target,
      answered.status,
    ]);
    const location = answered.headers.location;
    promise(
      location === undefined || /^(?:https?:\/\/|\/)/.test(String(location)),
      'a redirect leads to the web',
      () => location,
    );
    for (const value of Object.values(answered.headers)) {
      promise(!/[\r\n\0]/.test(String(value)), 'headers are one line', () => answered.headers);
    }
    const isPage = /text\/html/.test(String(answered.headers['content-type'])) && !target.startsWith('/cached');
    promise(!isPage || !RUNS.test(answered.body.replace(/>[^<]*/g, '>')), 'no page runs what was typed', () => target);
  },
};
