import { DEFAULT_CONVERSION_LIMITS } from '../../../../src/convert/documents/conversion-budget.ts';

/** The limits of a conversion, but for the time: on a busy machine any file may take any time. */
export const PATIENT_LIMITS = { ...DEFAULT_CONVERSION_LIMITS, maxMs: 600_000 };
