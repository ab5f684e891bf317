/**
 * Writes TypeScript modules of custom resources, as those of Kubernetes' own kinds are written.
 *
 * @module
 */
export { generateDefinitions, type GenerateOptions } from "./generate-definitions.ts";
