// @boundaries-ignore a file of the repository that belongs to no package
export * from "../../../../tests/support/plan.ts";
