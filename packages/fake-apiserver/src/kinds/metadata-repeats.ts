import type { MetadataRepeats } from "../api/resource-definition.ts";

/**
 * Checks of metadata that the validation of kinds repeats in updates, by the functions
 * `Validate…Update` of k8s.io/kubernetes, pkg/apis, and of the strategies that call them.
 */

/** All checks of a new object, and those of changes. */
export const wholeAndChanges: MetadataRepeats = { changes: 1, whole: 1 };

/** Nothing. */
export const nothingAgain: MetadataRepeats = { changes: 0, whole: 0 };
