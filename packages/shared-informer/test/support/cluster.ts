// @boundaries-ignore a file of the repository that belongs to no package
export * from "../../../../tests/support/cluster.ts";
// @boundaries-ignore as above
export { isLazyThroughout, sourceForm } from "../../../../tests/support/object-form.ts";
