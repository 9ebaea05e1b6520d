import { DemoWeb } from '../demo/demo-web.ts';
import { SitesWeb } from '../sites/sites-web.ts';
import { SyntheticWeb } from './synthetic-web.ts';
import type { WebDescription, WebModel } from './web-model.ts';
import { webSpec } from './web-spec.ts';

/** Makes the web again that a log file was written by. Parameters that it did not know yet are at their defaults. */
export function webFromDescription(description: WebDescription): WebModel {
  switch (description.kind) {
    case 'demo':
      return new DemoWeb(description.port);
    case 'sites':
      return new SitesWeb(description.spec, description.port);
    case 'synthetic':
      return new SyntheticWeb(webSpec(description.spec), description.addressing);
  }
}
