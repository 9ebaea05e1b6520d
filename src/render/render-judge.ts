import type { RenderGain, RenderJudge, RenderSigns, RenderVerdict } from '../contracts/content/renderer.ts';

/** What is known of pages of one kind. */
interface Account {
  /** Pages that were compared in both versions, how many of them rendering brought something, and the last that did. */
  samples: number;
  gains: number;
  /** Pages since, that nobody looked at. */
  unseen: number;
  /** Renderings in a row that failed. */
  failures: number;
  /** Samples that are being looked at, and who waits for what they show. */
  underWay: number;
  readonly waiting: (() => void)[];
}

export interface JudgeSnapshot {
  readonly version: 1;
  readonly accounts: readonly (readonly [key: string, samples: number, gains: number, failures: number])[];
}

/** Pages of a kind that are compared before it is decided on. */
const SAMPLES = 3;
/** The same of further patterns whose scripts are known: one, to see. */
const SAMPLES_OF_KNOWN_SCRIPTS = 1;
/** Of a kind that was found plain every so many pages one is compared again; doubled each time. */
const LOOK_AGAIN = 20;
const MOST_FAILURES = 3;
/** Where one in so many brought something, all are rendered. */
const GAIN_SHARE = 0.2;
/** Enough for tens of thousands of kinds; those not heard of for longest are forgotten. */
const MOST_ACCOUNTS = 50_000;
/** New links, or so many more words, and a tenth more than there were. */
const WORDS = 20;

/**
 * Which pages need a browser. A page whose markup says so is rendered; of others with scripts the first of each kind (host, pattern
 * of the URL, set of scripts) are looked at in both versions, and what that shows holds for the rest.
 */
export class LearningJudge implements RenderJudge {
  /** By kind, and by host and scripts alone; the least recently used first. */
  readonly #accounts = new Map<string, Account>();

  constructor(kept?: JudgeSnapshot) {
    for (const [key, samples, gains, failures] of kept?.version === 1 ? kept.accounts : [])
      this.#accounts.set(key, { ...newAccount(), samples, gains, failures });
  }

  /** Waits where samples of the kind are under way: they decide. Whoever is told to render must `learn` or `fail`. */
  async judge(signs: RenderSigns): Promise<RenderVerdict> {
    const { kind, scripts } = keysOf(signs);
    const account = this.#account(kind);
    while (signs.strong === '' && account.underWay > 0 && account.samples + account.underWay >= SAMPLES)
      await new Promise<void>((resolve) => account.waiting.push(resolve));
    const verdict = this.#verdict(signs, account, this.#account(scripts));
    account.unseen = verdict.render ? 0 : account.unseen + 1;
    if (verdict.render) account.underWay++;
    return verdict;
  }

  learn(signs: RenderSigns, gain: RenderGain): void {
    const isGain = gain.redirect === true || gain.links > 0 || gain.words > WORDS;
    const { kind, scripts } = keysOf(signs);
    for (const key of [kind, scripts]) {
      const account = this.#account(key);
      account.samples++;
      account.failures = 0;
      if (isGain) account.gains++;
    }
    this.#ended(kind);
  }

  /** The browser came to no end with the page. */
  fail(signs: RenderSigns): void {
    const { kind } = keysOf(signs);
    this.#account(kind).failures++;
    this.#ended(kind);
  }

  snapshot(): JudgeSnapshot {
    return {
      version: 1,
      accounts: Array.from(this.#accounts, ([key, { samples, gains, failures }]) => [key, samples, gains, failures]),
    };
  }

  #verdict({ strong }: RenderSigns, account: Account, ofScripts: Account): RenderVerdict {
    const { samples, gains, unseen, failures } = account;
    if (failures >= MOST_FAILURES && unseen < LOOK_AGAIN * failures)
      return no(`pages of its kind failed ${failures} times in a row in the browser`);
    if (samples >= SAMPLES && gains / samples < GAIN_SHARE) {
      if (unseen >= LOOK_AGAIN * 2 ** Math.min(10, samples - SAMPLES)) return yes('looked at again');
      return no(`rendering brought nothing to ${samples - gains} of ${samples} pages of its kind`);
    }
    if (strong !== '') return yes(strong);
    if (gains > 0) return yes(`rendering brought more to ${gains} of ${samples} pages of its kind`);
    const isPlain = ofScripts.samples >= 2 * SAMPLES && ofScripts.gains === 0;
    const wanted = isPlain ? SAMPLES_OF_KNOWN_SCRIPTS : SAMPLES;
    if (samples >= wanted) return no(`its scripts brought nothing to ${ofScripts.samples} pages of its host`);
    return yes(`sample ${samples + 1} of its kind`);
  }

  #ended(kind: string): void {
    const account = this.#account(kind);
    account.underWay = Math.max(0, account.underWay - 1);
    for (const resume of account.waiting.splice(0)) resume();
  }

  #account(key: string): Account {
    const account = this.#accounts.get(key) ?? newAccount();
    this.#accounts.delete(key);
    this.#accounts.set(key, account);
    if (this.#accounts.size > MOST_ACCOUNTS) this.#forgetOldest();
    return account;
  }

  #forgetOldest(): void {
    for (const [key, { waiting, underWay }] of this.#accounts) {
      if (waiting.length > 0 || underWay > 0) continue;
      this.#accounts.delete(key);
      return;
    }
  }
}

function newAccount(): Account {
  return { samples: 0, gains: 0, unseen: 0, failures: 0, underWay: 0, waiting: [] };
}

function yes(why: string): RenderVerdict {
  return { render: true, why };
}

function no(why: string): RenderVerdict {
  return { render: false, why };
}

function keysOf({ url, scripts }: RenderSigns): { readonly kind: string; readonly scripts: string } {
  const { host, pathname, search } = new URL(url);
  return { kind: `${host}${shapeOf(pathname)}${queryShape(search)} ${scripts}`, scripts: `${host} ${scripts}` };
}

/** Folders as they are, with numbers alike; the last segment by what it is made of. */
function shapeOf(path: string): string {
  const segments = path.split('/');
  const last = segments.pop() ?? '';
  const folders = segments.map((segment) => (/\d/.test(segment) || segment.length > 30 ? '{n}' : segment));
  const extension = /\.[a-z]{2,5}$/i.exec(last)?.[0] ?? '';
  const name = last === '' ? '' : /^\d+$/.test(last.slice(0, last.length - extension.length)) ? '{n}' : '*';
  return `${folders.slice(0, 4).join('/')}/${name}${extension}`;
}

function queryShape(search: string): string {
  if (search === '') return '';
  return `?${[...new URLSearchParams(search).keys()].slice(0, 6).sort().join('&')}`;
}
