import { join } from 'node:path';
import { type Certificate, selfSignedCertificate } from '../../src/simulate/server/self-signed-certificate.ts';
import { CODING_CASES } from './coding-cases.ts';
import { CONNECTION_CASES } from './connection-cases.ts';
import { documentCases } from './document-cases.ts';
import { FRAMING_CASES, HEADER_CASES } from './framing-cases.ts';
import type { HostileCase } from './hostile-case.ts';
import { http2Cases } from './http2-cases.ts';
import { LIST_CASES } from './list-cases.ts';
import { MARKUP_CASES } from './markup-cases.ts';
import { NAME_CASES } from './name-cases.ts';
import { PACE_CASES } from './pace-cases.ts';
import { rawCases, stringCases } from './raw-cases.ts';
import { REDIRECT_CASES } from './redirect-cases.ts';
import { ROBOTS_CASES } from './robots-cases.ts';
import { tlsCases } from './tls-cases.ts';

export interface AllCases {
  readonly cases: readonly HostileCase[];
  /** In PEM, for the crawl to trust: some cases need a handshake that succeeds. */
  readonly certificate: string;
}

/** Every case there is; those of public data sets only where the folder that holds the sets is given. */
export function allCases(corpora?: string): AllCases {
  const trusted = certificateFor((certificate) => [...tlsCases(certificate), ...http2Cases(certificate)]);
  const cases = [
    ...CONNECTION_CASES,
    ...PACE_CASES,
    ...FRAMING_CASES,
    ...HEADER_CASES,
    ...CODING_CASES,
    ...REDIRECT_CASES,
    ...ROBOTS_CASES,
    ...LIST_CASES,
    ...MARKUP_CASES,
    ...documentCases(),
    ...tlsCases(trusted),
    ...http2Cases(trusted),
    ...NAME_CASES,
    ...(corpora === undefined ? [] : rawCases(join(corpora, 'http-responses'))),
    ...(corpora === undefined ? [] : stringCases(join(corpora, 'hostile'))),
  ];
  return { cases, certificate: trusted.cert };
}

/** A certificate for the hosts of all cases that would show it. */
function certificateFor(cases: (certificate: Certificate) => readonly HostileCase[]): Certificate {
  const names = cases(selfSignedCertificate(['any.test'])).map(({ name }) => `${name}.test`);
  return selfSignedCertificate(names);
}
