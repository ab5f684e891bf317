/**
 * Parts of the reflector for the packages above it. For the packages of listwatch only, whose
 * versions move together. Users get the parts that they need from the main entry.
 *
 * @module
 */
export type { OptionsOf } from "@listwatch/core-fifo/base";
export { reflectorGroups, requiredType } from "./options/options.ts";
