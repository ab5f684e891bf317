import type { MetadataRepeats } from "../api/resource-definition.ts";

/**
 * What the validation of kinds repeats of the checks of metadata in updates, by the functions
 * `Validate…Update` of k8s.io/kubernetes, pkg/apis, and of the strategies that call them.
 */

/** All that is checked of a new object, besides what an update may not change. */
export const wholeAndChanges: MetadataRepeats = { changes: 1, whole: 1 };

/** All that is checked of a new object. */
export const wholeAlone: MetadataRepeats = { changes: 0, whole: 1 };

/** All that is checked of a new object, two times. */
export const wholeTwice: MetadataRepeats = { changes: 0, whole: 2 };

/** Nothing. */
export const nothingAgain: MetadataRepeats = { changes: 0, whole: 0 };
