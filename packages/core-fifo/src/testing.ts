/**
 * Time that stands still and randomness that repeats, for deterministic tests and simulations of anything built
 * on listwatch.
 *
 * @module
 */
export { seededRandom } from "./random.ts";
export { SimulatedClock, type SimulatedClockOptions } from "./simulated-clock.ts";
