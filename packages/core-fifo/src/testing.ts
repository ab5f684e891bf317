/**
 * Time that stands still and randomness that repeats, for deterministic tests and simulations of
 * anything built on listwatch.
 *
 * @module
 */
export { seededRandom } from "./base/random.ts";
export { SimulatedClock, type SimulatedClockOptions } from "./base/simulated-clock.ts";
