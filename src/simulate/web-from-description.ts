import { DemoWeb } from './demo-web.ts';
import { SyntheticWeb } from './synthetic-web.ts';
import type { WebDescription, WebModel } from './web-model.ts';

/** Makes the web again that a log file was written by. */
export function webFromDescription(description: WebDescription): WebModel {
  return description.kind === 'demo'
    ? new DemoWeb(description.port)
    : new SyntheticWeb(description.spec, description.addressing);
}
