import type { XmlTokenLimits } from '../../base/xml/xml-tokenizer.ts';

/** What one XML document may take. What is over a limit is left out, and a fault says so. */
export interface XmlLimits extends XmlTokenLimits {
  /** Elements within elements; deeper ones are passed over with everything in them. */
  readonly maxDepth: number;
}

export const defaultXmlLimits: XmlLimits = { maxDepth: 256, maxText: 4_000_000, maxTag: 65_536 };
