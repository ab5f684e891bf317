/**
 * A simulated clock and repeatable random numbers, for deterministic tests and simulations of
 * anything built on listwatch.
 *
 * @module
 */
export { seededRandom } from "./base/random.ts";
export { SimulatedClock, type SimulatedClockOptions } from "./base/simulated-clock.ts";
