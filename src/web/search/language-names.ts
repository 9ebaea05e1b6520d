/** Names of languages in English. Remembers them: the engine takes longer to find one than to write a facet. */
export class LanguageNames {
  readonly #names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });
  readonly #known = new Map<string, string>();

  /** Of a code of two or three letters, so that few are to be remembered; any other is told as it is. */
  of(code: string): string {
    if (!/^[a-z]{2,3}$/i.test(code)) return code;
    let name = this.#known.get(code);
    if (name === undefined) {
      name = this.#names.of(code) ?? code;
      this.#known.set(code, name);
    }
    return name;
  }
}
