import type { CrawlOperation } from '../../contracts/crawl-control.ts';
import type { HostKey } from '../../contracts/url.ts';
import type { FolderControl } from '../../crawl/control/folder-control.ts';
import { type Api, addOperation, NotHere } from './api-operation.ts';
import * as schemas from './schemas.ts';

const OPERATIONS_SHOWN = 100;

/** What can be asked of a crawl, as JSON. */
export function addControlOperations(api: Api, control: FolderControl | undefined): void {
  const controlled = (): FolderControl => {
    if (control === undefined) throw new NotHere('There is no crawl here that could be steered.');
    return control;
  };
  const ask = (operation: CrawlOperation) => controlled().ask(operation, 'api');

  addOperation(api, {
    ...({ method: 'get', path: '/control', tag: 'Control' } as const),
    summary: 'What holds by what was asked of the crawl',
    answer: schemas.Control,
    run: () => controlled().view(),
  });
  addOperation(api, {
    ...({ method: 'get', path: '/control/operations', tag: 'Control' } as const),
    summary: 'What was asked of the crawl, the newest first',
    answer: schemas.Operations,
    run: () => ({ operations: controlled().operations(OPERATIONS_SHOWN) }),
  });
  addOperation(api, {
    ...({ method: 'get', path: '/control/operations/{id}', tag: 'Control' } as const),
    summary: 'What became of an operation',
    ...{ params: schemas.OperationId, answer: schemas.Operation },
    run: ({ params: { id } }) => {
      const operation = controlled().operation(id);
      if (operation === undefined) throw new NotHere('There is no operation of this number.');
      return operation;
    },
  });
  for (const [kind, summary] of [
    ['pause', 'Begin no request until the crawl is resumed'],
    ['resume', 'Go on'],
    ['stop', 'End the run, as Ctrl-C does'],
  ] as const)
    addOperation(api, {
      ...({ method: 'post', path: `/control/${kind}`, tag: 'Control', status: 202 } as const),
      summary,
      ...{ body: schemas.NoBody, answer: schemas.Operation },
      run: () => ask({ kind }),
    });
  addOperation(api, {
    ...({ method: 'patch', path: '/control/settings', tag: 'Control', status: 202 } as const),
    summary: 'Change settings while the crawl runs',
    ...{ body: schemas.SettingsBody, answer: schemas.Operations },
    run: ({ body }) => {
      const changes = Object.entries(body).map(
        ([name, value]): CrawlOperation => ({ kind: 'set', name, value: writtenValue(value) }),
      );
      // All are checked before the first is kept.
      for (const change of changes) controlled().check(change);
      return { operations: changes.map(ask) };
    },
  });
  addOperation(api, {
    ...({ method: 'put', path: '/control/hosts', tag: 'Control', status: 202 } as const),
    summary: 'Hold or open a host',
    ...{ body: schemas.HostBody, answer: schemas.Operation },
    run: ({ body: { host, state } }) => ask({ kind: 'host', host: host as HostKey, state }),
  });
  addOperation(api, {
    ...({ method: 'put', path: '/control/patterns', tag: 'Control', status: 202 } as const),
    summary: 'Hold or open a group of URLs, or leave it to the crawl again',
    ...{ body: schemas.PatternBody, answer: schemas.Operation },
    run: ({ body: { pattern, state } }) => ask({ kind: 'pattern', pattern, state }),
  });
  addOperation(api, {
    ...({ method: 'post', path: '/control/submissions', tag: 'Control', status: 202 } as const),
    summary: 'Give the crawl URLs, as far as its scope admits them',
    ...{ body: schemas.UrlsBody, answer: schemas.Operation },
    run: ({ body: { urls } }) => ask({ kind: 'submit', urls }),
  });
  addOperation(api, {
    ...({ method: 'post', path: '/control/requeue', tag: 'Control', status: 202 } as const),
    summary: 'Have known URLs asked for once more',
    ...{ body: schemas.UrlsBody, answer: schemas.Operation },
    run: ({ body: { urls } }) => ask({ kind: 'requeue', urls }),
  });
}

function writtenValue(value: string | number | readonly string[] | null): string | null {
  if (value === null || typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : value.join(' ');
}
