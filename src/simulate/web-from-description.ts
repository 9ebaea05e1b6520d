import { DemoWeb } from './demo-web.ts';
import { SyntheticWeb } from './synthetic-web.ts';
import type { WebDescription, WebModel } from './web-model.ts';
import { webSpec } from './web-spec.ts';

/** Makes the web again that a log file was written by. Parameters that it did not know yet are at their defaults. */
export function webFromDescription(description: WebDescription): WebModel {
  return description.kind === 'demo'
    ? new DemoWeb(description.port)
    : new SyntheticWeb(webSpec(description.spec), description.addressing);
}
