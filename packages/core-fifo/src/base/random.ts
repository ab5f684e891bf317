/** Source of random numbers in [0, 1). Injected wherever there is jitter or a random choice. */
export type Random = () => number;

/** The runtime's random numbers; not for secrets. */
export const systemRandom: Random = () => Math.random();

/**
 * Creates a {@link Random} that returns the same numbers for the same seed on every runtime: for
 * simulations and tests, not for secrets. Generator: mulberry32 by Tommy Ettinger, 32 bits of
 * state, period 2³².
 *
 * @param seed an integer; its lowest 32 bits count
 */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
