/** Deliberate differences from kubectl: reasons by the name of a case. */
export const differences: Readonly<Record<string, string>> = {};
