import type { FormField, SearchForm } from '../../contracts/content/search-form.ts';
import { formUrl } from './form-url.ts';

/** What a form was asked for, and what came of it. */
export interface FormReport {
  readonly action: string;
  readonly asked: number;
  /** Links that nobody knew before. */
  readonly fresh: number;
  /** Why nothing more is asked; absent while it goes on. */
  readonly ended?: string;
}

/** How one question was chosen; its yield says how good that way of choosing is. */
interface Question {
  readonly url: string;
  /** A field to choose from, or the rank of a word. */
  readonly arm: string;
}

interface Arm {
  asked: number;
  fresh: number;
  /** Questions without anything new since the last that brought some. */
  dry: number;
}

export interface OpenFormSnapshot {
  readonly form: SearchForm;
  readonly at: string;
  readonly depth: number;
  readonly arms: readonly (readonly [string, Arm])[];
  readonly tried: readonly string[];
  readonly underWay: readonly Question[];
  readonly asked: number;
  readonly fresh: number;
  readonly dry: number;
  readonly ended?: string;
  /** Absent in what earlier versions wrote. */
  readonly ledTo?: readonly string[];
}

/** Answers come one after the other, and each teaches what to ask next. */
const UNDER_WAY = 3;
/** A field whose values brought nothing so often is left. */
const DRY_FIELD = 12;
/** A form of which nothing new came so often is left. */
const DRY_FORM = 40;
/** URLs of a form that are known as asked for; it may be linked to without end. */
const MOST_TRIED = 20_000;
/** Tries that a way of choosing is worth before anything is known of it. */
const PRIOR = 2;

/**
 * One form that is being filled in. First its choices, each alone; then the words of the site itself. Words of like frequency are one
 * way of choosing, an arm of a bandit: where a list of results is cut, frequent words bring the same again and again and rare ones
 * the rest; where it is not, frequent words bring all. What brings most is asked for most, and nothing is given up for good.
 */
export class OpenForm {
  readonly form: SearchForm;
  readonly at: string;
  readonly depth: number;
  readonly #arms = new Map<string, Arm>();
  readonly #tried = new Set<string>();
  readonly #underWay = new Map<string, string>();
  /** Where answers have led that were redirects. */
  readonly #ledTo = new Set<string>();
  #asked = 0;
  #fresh = 0;
  #dry = 0;
  #ended: string | undefined;

  /** `at`: the page where it was found first. */
  constructor(form: SearchForm, at: string, depth: number) {
    this.form = form;
    this.at = at;
    this.depth = depth;
  }

  get report(): FormReport {
    const { action } = this.form;
    const sums = { action, asked: this.#asked, fresh: this.#fresh };
    return this.#ended === undefined ? sums : { ...sums, ended: this.#ended };
  }

  /**
   * A page was visited: was it an answer? `links`: those on it that nobody knew. An answer that leads to its one result (`leadsTo`) is as good
   * as a link to it; but one that leads where others have led before brings nothing.
   */
  answered(url: string, links: number, leadsTo?: string): void {
    const arm = this.#underWay.get(url);
    if (arm === undefined) {
      // Somebody else has linked to it: it need not be asked for.
      if (url.startsWith(`${this.form.action}?`) && this.#tried.size < MOST_TRIED) this.#tried.add(url);
      return;
    }
    this.#underWay.delete(url);
    const fresh = leadsTo === undefined ? links : this.#ledTo.has(leadsTo) ? 0 : 1;
    if (leadsTo !== undefined && this.#ledTo.size < MOST_TRIED) this.#ledTo.add(leadsTo);
    const sums = this.#armOf(arm);
    sums.asked++;
    sums.fresh += fresh;
    sums.dry = fresh > 0 ? 0 : sums.dry + 1;
    this.#fresh += fresh;
    this.#dry = fresh > 0 ? 0 : this.#dry + 1;
  }

  /** What to ask for next: canonical URLs. `urlOf` makes them so, or refuses them. */
  next(
    words: ReadonlyMap<string, number>,
    mostRequests: number,
    urlOf: (url: string) => string | undefined,
  ): readonly string[] {
    const found: string[] = [];
    while (this.#ended === undefined && this.#underWay.size < UNDER_WAY) {
      if (this.#asked >= mostRequests) this.#ended = `${mostRequests} requests (form-requests)`;
      else if (this.#dry >= DRY_FORM) this.#ended = `nothing new came of the last ${DRY_FORM} requests`;
      else {
        const question = this.#question(words, urlOf);
        if (question === undefined) {
          // Answers under way may bring words.
          if (this.#underWay.size === 0) this.#ended = 'nothing is left to ask for';
          break;
        }
        this.#asked++;
        this.#underWay.set(question.url, question.arm);
        found.push(question.url);
      }
    }
    return found;
  }

  #question(words: ReadonlyMap<string, number>, urlOf: (url: string) => string | undefined): Question | undefined {
    for (const [arm, filled] of this.#candidates(words)) {
      const url = urlOf(formUrl(this.form, filled));
      if (url === undefined || this.#tried.has(url) || this.#underWay.has(url)) continue;
      this.#tried.add(url);
      return { url, arm };
    }
    return undefined;
  }

  *#candidates(words: ReadonlyMap<string, number>): Generator<[arm: string, filled: Record<string, string>]> {
    yield ['as it is', {}];
    const choices = this.form.fields.filter((field) => field.kind === 'choice');
    const open = choices.filter(({ name }) => this.#armOf(name).dry < DRY_FIELD);
    for (const { name, values } of this.#inTurn(open)) for (const value of values) yield [name, { [name]: value }];
    const field = this.form.fields.find(({ kind }) => kind === 'text');
    if (field === undefined) return;
    for (const [arm, some] of this.#ranked(words)) for (const word of some) yield [arm, { [field.name]: word }];
  }

  /** The field that was asked for least comes first. */
  #inTurn<Field extends FormField>(fields: readonly Field[]): readonly Field[] {
    return fields.toSorted((a, b) => this.#armOf(a.name).asked - this.#armOf(b.name).asked);
  }

  /** Words by the power of two of their frequency, those first that promise most. */
  #ranked(words: ReadonlyMap<string, number>): readonly (readonly [arm: string, words: readonly string[]])[] {
    const ranks = Map.groupBy(words.keys(), (word) => Math.floor(Math.log2(words.get(word) as number)));
    const mean = (this.#fresh + 1) / (this.#asked + 1);
    const worth = (arm: string): number => {
      const { asked, fresh } = this.#armOf(arm);
      return (fresh + PRIOR * mean) / (asked + PRIOR) + mean * 0.5 * Math.sqrt(Math.log(this.#asked + 2) / (asked + 1));
    };
    return [...ranks]
      .map(([rank, some]) => [`words of rank ${rank}`, some.reverse()] as const)
      .sort(([a], [b]) => worth(b) - worth(a));
  }

  #armOf(name: string): Arm {
    const known = this.#arms.get(name) ?? { asked: 0, fresh: 0, dry: 0 };
    this.#arms.set(name, known);
    return known;
  }

  snapshot(): OpenFormSnapshot {
    return {
      ...{ form: this.form, at: this.at, depth: this.depth },
      arms: [...this.#arms].map(([name, arm]) => [name, { ...arm }]),
      tried: [...this.#tried],
      underWay: [...this.#underWay].map(([url, arm]) => ({ url, arm })),
      ...{ asked: this.#asked, fresh: this.#fresh, dry: this.#dry },
      ...(this.#ended === undefined ? {} : { ended: this.#ended }),
      ...(this.#ledTo.size === 0 ? {} : { ledTo: [...this.#ledTo] }),
    };
  }

  static from(kept: OpenFormSnapshot): OpenForm {
    const { form, at, depth, arms, tried, underWay, asked, fresh, dry, ended, ledTo = [] } = kept;
    const made = new OpenForm(form, at, depth);
    for (const [name, arm] of arms) made.#arms.set(name, { ...arm });
    for (const url of tried) made.#tried.add(url);
    for (const { url, arm } of underWay) made.#underWay.set(url, arm);
    for (const url of ledTo) made.#ledTo.add(url);
    made.#asked = asked;
    made.#fresh = fresh;
    made.#dry = dry;
    made.#ended = ended;
    return made;
  }
}
