/** Splits a list of texts that have no whitespace. */
export const words = (list: string): string[] => list.trim().split(/\s+/);
