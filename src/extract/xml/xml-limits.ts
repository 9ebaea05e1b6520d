/** What one XML document may take. Past a limit the surplus is left out and a fault says so. */
export interface XmlLimits {
  /** Elements within elements; deeper ones are passed over with everything in them. */
  readonly maxDepth: number;
  /** Characters between two pieces of markup, or in one CDATA section. */
  readonly maxText: number;
  /** Characters of one tag, its attributes included. */
  readonly maxTag: number;
}

export const defaultXmlLimits: XmlLimits = { maxDepth: 256, maxText: 4_000_000, maxTag: 65_536 };
