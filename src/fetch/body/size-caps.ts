/** The largest body by media type. The most precise entry counts: `text/html` before `text/*` before the general cap. */
export class SizeCaps {
  readonly #general: number;
  readonly #byType: ReadonlyMap<string, number>;

  constructor(general: number, byType: Readonly<Record<string, number>> = {}) {
    this.#general = general;
    this.#byType = new Map(Object.entries(byType).map(([range, bytes]) => [range.toLowerCase(), bytes]));
  }

  /** Takes a Content-Type header, parameters and all. */
  capFor(contentType: string | undefined): number {
    if (contentType === undefined || this.#byType.size === 0) return this.#byType.get('*/*') ?? this.#general;
    const semicolon = contentType.indexOf(';');
    const type = (semicolon === -1 ? contentType : contentType.slice(0, semicolon)).trim().toLowerCase();
    const slash = type.indexOf('/');
    return (
      this.#byType.get(type) ??
      this.#byType.get(`${slash === -1 ? type : type.slice(0, slash)}/*`) ??
      this.#byType.get('*/*') ??
      this.#general
    );
  }
}
