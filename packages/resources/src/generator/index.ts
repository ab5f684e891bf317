/**
 * Generates TypeScript modules for custom resources, in the same form as for Kubernetes' own kinds.
 *
 * @module
 */
export { generateDefinitions, type GenerateOptions } from "./generate-definitions.ts";
