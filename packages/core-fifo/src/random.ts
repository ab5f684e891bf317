/** Source of randomness: a number in [0, 1). Injected wherever jitter or a choice is made. */
export type Random = () => number;

/** The runtime's own randomness; not for secrets. */
export const systemRandom: Random = () => Math.random();
