/**
 * A simulated clock, and simulations of a whole program on simulated time:
 * `@listwatch/core-fifo/testing` and `@listwatch/testing`.
 *
 * @module
 */
export * from "@listwatch/core-fifo/testing";
export * from "@listwatch/testing";
