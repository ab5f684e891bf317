/**
 * A simulated clock, and simulations of a whole program on simulated time: `@listwatch/testing`.
 *
 * @module
 */
export * from "@listwatch/testing";
