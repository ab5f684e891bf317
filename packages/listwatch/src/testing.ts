/**
 * A simulated clock and what else tests need of the lowest layer: `@listwatch/core-fifo/testing`.
 *
 * @module
 */
export * from "@listwatch/core-fifo/testing";
