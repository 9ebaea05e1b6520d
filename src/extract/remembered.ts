/** Longer texts are not kept. */
const LONGEST = 128;

/**
 * A pure function of short texts that come again and again, such as the classes of a site: what it answered is kept. With more
 * texts than `most` it begins anew, since those that are asked for now are not those of before.
 */
export class Remembered<Answer> {
  readonly #answers = new Map<string, Answer>();
  readonly #answer: (text: string) => Answer;
  readonly #most: number;

  constructor(answer: (text: string) => Answer, most: number) {
    this.#answer = answer;
    this.#most = most;
  }

  /** The text must not be a part of a larger one: it would keep that in memory. */
  of(text: string): Answer {
    const known = this.#answers.get(text);
    if (known !== undefined) return known;
    const answer = this.#answer(text);
    if (text.length > LONGEST) return answer;
    if (this.#answers.size >= this.#most) this.#answers.clear();
    this.#answers.set(text, answer);
    return answer;
  }
}
