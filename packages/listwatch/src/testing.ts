/**
 * A simulated clock and other test support of the lowest layer: `@listwatch/core-fifo/testing`.
 *
 * @module
 */
export * from "@listwatch/core-fifo/testing";
