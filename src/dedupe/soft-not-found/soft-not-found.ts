import { PROBE_MARK } from './blanked-text.ts';
import { errorWording, isPlainError } from './error-wording.ts';
import { isFront } from './front-page.ts';
import { HostNotes } from './host-notes.ts';
import { notesFromJson, notesToJson } from './kept-notes.ts';
import { isLikeTemplate, matchTemplate, type NotFoundTemplate, templateOf } from './not-found-template.ts';
import type { SoftAnswer, SoftOptions, SoftReport, SoftVerdict, SoftVisit } from './soft-types.ts';

export type { SoftAnswer, SoftOptions, SoftReport, SoftVerdict, SoftVisit } from './soft-types.ts';

const DEFAULTS = { maxHosts: 20_000, snapshotHosts: 2000, probesPerHost: 2, fewVisits: 8 } as const;
const HONEST: SoftVerdict = { soft: false };
const MOST_TEMPLATES = 4;
const MOST_TARGETS = 4;
/**
 * The most words of a page whose title alone condemns it. Error pages say sorry, offer a search and a few links; what
 * has more to say than this paragraph twice over under such a title is asked about by a probe instead.
 */
const SHORT_WORDS = 100;
/** One text at this many addresses is a cause to ask. */
const REPEATED = 3;
/** A page far thinner than the rest is one too, on a host that has shown this many pages. */
const MANY_VISITS = 20;
/** A probe that is not answered after this many more visits is taken for lost. */
const PATIENCE = 50;

/**
 * Tells error pages that come with 200: by what the host shows at an address that cannot exist, and where nobody has
 * asked yet by a title that says nothing else. Everything else is only a cause to ask. Pure.
 */
export class SoftNotFound {
  readonly #options: Required<SoftOptions>;
  /** The order is that of use, the latest last. */
  readonly #hosts = new Map<string, HostNotes>();

  constructor(options: SoftOptions = {}) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Takes every answer not judged soft, once; `notedVisit` tells how much of it. True when a made-up address of the host should be asked for now. */
  wantsProbe(visit: SoftVisit): boolean {
    const notes = this.#touch(visit.host);
    const isPage = visit.status >= 200 && visit.status < 300;
    const addresses = isPage ? notes.note(visit) : 0;
    if (isPage && isFront(visit.url)) this.#noteFront(notes, visit);
    const { asked, awaitedSince, visits } = notes;
    if (asked.length >= this.#options.probesPerHost || isFront(visit.url)) return false;
    if (awaitedSince >= 0 && visits - awaitedSince < PATIENCE) return false;
    if (!isPage || !this.#isCause(visit, notes, addresses)) return false;
    const kind = kindOf(visit.url);
    // What was asked once need not be asked again: the second probe is for another part of the site.
    if (asked.includes(kind)) return false;
    asked.push(kind);
    notes.awaitedSince = visits;
    return true;
  }

  /** Path of a page that cannot exist and names its asker. `like`: same folder and ending, as parts of a site differ. */
  probeTarget(_host: string, random: () => number, like = '/'): string {
    const path = like.replace(/[?#].*$/s, '');
    const whole = path.endsWith('/') && path.length > 1 ? path.slice(0, -1) : path;
    const slash = whole.lastIndexOf('/');
    const ending = path === whole ? (/\.[a-z0-9]{1,5}$/i.exec(whole.slice(slash + 1))?.[0] ?? '') : '/';
    const letters = Array.from({ length: 12 }, () => Math.floor(random() * 36).toString(36)).join('');
    return `${slash < 0 ? '/' : whole.slice(0, slash + 1)}${PROBE_MARK}${letters}${ending}`;
  }

  /** What the probe brought. */
  learn(host: string, answer: SoftAnswer): void {
    const notes = this.#touch(host);
    notes.awaitedSince = -1;
    const { status, redirectedTo } = answer;
    if (status === 404 || status === 410) notes.honestAnswers++;
    // A redirect that keeps the name only moves the question.
    if (redirectedTo !== undefined && !redirectedTo.includes(PROBE_MARK)) {
      const target = bareUrl(redirectedTo);
      if (!notes.targets.includes(target) && notes.targets.length < MOST_TARGETS) notes.targets.push(target);
    }
    if (status < 200 || status >= 300) return;
    const template = templateOf(answer);
    template.isFront = notes.front !== undefined && isSameAs(notes.front, template);
    template.isUsual = notes.isUsual(template);
    if (notes.templates.length >= MOST_TEMPLATES) notes.templates.shift();
    notes.templates.push(template);
  }

  /** Changes nothing: may be asked as often as wanted, and again once a probe is answered. */
  judge(visit: SoftVisit): SoftVerdict {
    const { status, url, title, words, redirectedTo, digest } = visit;
    const notes = this.#hosts.get(visit.host);
    if (redirectedTo !== undefined && notes?.targets.includes(bareUrl(redirectedTo)) && !isFront(url)) {
      return { soft: true, why: `it leads to ${bareUrl(redirectedTo)}, as made-up addresses of the host do` };
    }
    // The front page exists, whatever else looks like it.
    if (status < 200 || status >= 300 || isFront(url)) return HONEST;
    for (const template of notes?.templates ?? []) {
      const why = matchTemplate(visit, template);
      if (why !== undefined) return { soft: true, why };
    }
    if (digest !== undefined && notes?.softDigests.includes(digest))
      return { soft: true, why: 'it is, to the byte, another page of the host that says that there is none' };
    if (notes?.targets.includes(bareUrl(url)) && errorWording(visit) !== 'none') {
      return { soft: true, why: 'it says so, and made-up addresses of the host lead to it' };
    }
    if (title !== undefined && words !== undefined && words <= SHORT_WORDS && isPlainError(title)) {
      return { soft: true, why: `its title says so, "${title.slice(0, 100)}", and it has only ${words} words` };
    }
    return HONEST;
  }

  /** A page with these bytes was judged soft. */
  noteSoft(host: string, digest: string): void {
    this.#touch(host).noteSoft(digest);
  }

  /** Hosts that were asked, those that show pages at made-up addresses first. */
  report(limit: number): readonly SoftReport[] {
    const asked = [...this.#hosts].filter(([, notes]) => notes.asked.length > 0);
    asked.sort(([, a], [, b]) => weight(b) - weight(a));
    return asked.slice(0, limit).map(([host, notes]) => ({
      host,
      probes: notes.asked.length,
      honestAnswers: notes.honestAnswers,
      templates: notes.templates.map((template) => template.title ?? ''),
      targets: [...notes.targets],
    }));
  }

  /** Plain JSON, bounded: hosts that were asked, the latest of them. */
  snapshot(): unknown {
    const asked = [...this.#hosts].filter(([, notes]) => notes.asked.length > 0);
    return {
      version: 1,
      hosts: asked.slice(-this.#options.snapshotHosts).map(([host, notes]) => [host, notesToJson(notes)]),
    };
  }

  /** In place of all that was learnt. What is no snapshot leaves nothing learnt. */
  restore(snapshot: unknown): void {
    this.#hosts.clear();
    const { version, hosts } = (snapshot ?? {}) as { version?: number; hosts?: [string, unknown][] };
    if (version !== 1 || hosts === undefined) return;
    for (const [host, notes] of hosts) this.#hosts.set(host, notesFromJson(notes));
  }

  #isCause(visit: SoftVisit, notes: HostNotes, addresses: number): boolean {
    const wording = errorWording(visit);
    if (wording === 'plain') return true;
    if (notes.visits < this.#options.fewVisits) return false;
    if (wording === 'suspicious' || addresses >= REPEATED) return true;
    return notes.visits >= MANY_VISITS && notes.asked.length === 0 && notes.isThin(visit);
  }

  #noteFront(notes: HostNotes, { digest, contentSketch, words }: SoftVisit): void {
    notes.front = {
      ...(words === undefined ? {} : { words }),
      ...(digest === undefined ? {} : { digest }),
      ...(contentSketch === undefined ? {} : { contentSketch }),
    };
    for (const template of notes.templates) template.isFront = isSameAs(notes.front, template);
  }

  #touch(host: string): HostNotes {
    const known = this.#hosts.get(host);
    const notes = known ?? new HostNotes();
    if (known !== undefined) this.#hosts.delete(host);
    else if (this.#hosts.size >= this.#options.maxHosts) this.#hosts.delete(this.#hosts.keys().next().value as string);
    this.#hosts.set(host, notes);
    return notes;
  }
}

function isSameAs(front: NonNullable<HostNotes['front']>, template: NotFoundTemplate): boolean {
  if (front.digest !== undefined && front.digest === template.digest) return true;
  if (front.words === undefined) return false;
  return Math.abs(front.words - template.words) <= 5 && isLikeTemplate(front, template);
}

/** Without query and fragment: these carry where one came from. */
function bareUrl(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** First folder and ending: what is alike in these is likely made by one program. */
function kindOf(url: string): string {
  const path = bareUrl(url).replace(/^[a-z]+:\/\/[^/]*/i, '');
  const [, folder = ''] = /^\/([^/]*)\//.exec(path) ?? [];
  const [ending = ''] = /\.[a-z0-9]{1,5}$/i.exec(path) ?? [];
  return `/${folder} ${ending}`.slice(0, 60);
}

function weight({ templates, targets }: HostNotes): number {
  return templates.length + targets.length;
}
