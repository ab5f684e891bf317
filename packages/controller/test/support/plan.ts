// @boundaries-ignore a file of the repository that belongs to no package
export * from "../../../../tests/support/plan.ts";
// @boundaries-ignore as above
export * from "../../../../tests/support/faulty-requests.ts";
// @boundaries-ignore as above
export * from "../../../../tests/support/server-faults.ts";
