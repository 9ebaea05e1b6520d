import { jsonReply, type Reply } from '../http/reply.ts';
import type { Api } from './api-operation.ts';

/** The OpenAPI document of all that was added, made once. */
export class ApiDocument {
  readonly #api: Api;
  #reply: Reply | undefined;

  constructor(api: Api) {
    this.#api = api;
    api.openAPIRegistry.registerComponent('securitySchemes', 'token', {
      type: 'http',
      scheme: 'bearer',
      description: 'Not needed of a server that only its own machine can reach and that was given no token.',
    });
  }

  reply(): Reply {
    this.#reply ??= jsonReply(
      this.#api.getOpenAPI31Document({
        openapi: '3.1.0',
        info: {
          title: 'Orbweaver',
          version: '1',
          description: 'Search, read and steer a crawl. See docs/api.md.',
          license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
        },
        servers: [{ url: '/' }],
        tags: [
          { name: 'Reading', description: 'What is known of the crawl and its pages.' },
          { name: 'Control', description: 'What is asked of the crawl while it runs.' },
        ],
      }),
    );
    return this.#reply;
  }
}
