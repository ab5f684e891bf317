import { type Kind, defineKind } from "./define-kind.ts";

/** LimitRange of the core group. */
export const limitRangeKind: Kind = defineKind({
  version: "v1",
  kind: "LimitRange",
  unconditionalUpdate: true,
  shortNames: ["limits"],
  createOnUpdate: true,
});

/** ResourceQuota of the core group. */
export const resourceQuotaKind: Kind = defineKind({
  version: "v1",
  kind: "ResourceQuota",
  unconditionalUpdate: true,
  shortNames: ["quota"],
  status: true,
  returnsDeletedObject: true,
});
