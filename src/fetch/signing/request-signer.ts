import type { Clock } from '../../base/clock.ts';
import { signMessage } from './message-signature.ts';
import type { SigningKey } from './signing-key.ts';

const LABEL = 'orbweaver';
/** Clocks of servers differ; a signature that was overheard is of no use for long. */
const VALID_MS = 5 * 60_000;

/**
 * Signs requests, so that a server can tell this crawler from others that use its name (Web Bot Auth: RFC 9421 with the tag `web-bot-auth`,
 * draft-ietf-webbotauth-httpsig-protocol). A signature names one host and holds for minutes.
 */
export class RequestSigner {
  readonly #key: SigningKey;
  readonly #clock: Pick<Clock, 'now' | 'date'>;
  /** Where the public key is found, as a string of a structured field. */
  readonly #agent: string;

  constructor(key: SigningKey, agent: string, clock: Pick<Clock, 'now' | 'date'>) {
    this.#key = key;
    this.#agent = `"${agent}"`;
    this.#clock = clock;
  }

  /** The fields for a request to an origin: [name, value, …]. */
  fieldsFor(origin: string): string[] {
    const { input, signature } = signMessage(this.#key, {
      ...{ label: LABEL, tag: 'web-bot-auth', now: this.#clock.date?.() ?? this.#clock.now(), validForMs: VALID_MS },
      components: [
        { id: '"@authority"', value: new URL(origin).host },
        { id: `"signature-agent";key="${LABEL}"`, value: this.#agent },
      ],
    });
    return ['Signature-Agent', `${LABEL}=${this.#agent}`, 'Signature-Input', input, 'Signature', signature];
  }
}
