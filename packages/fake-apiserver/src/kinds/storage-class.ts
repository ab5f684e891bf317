import { storageClassRules } from "../rules/volume.ts";
import { fillAbsent, withMembersOf } from "./defaults/fill.ts";
import type { ApiObject } from "../api/api-object.ts";
import { flag, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { protect } from "./admission/protection.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { attributesClassRules } from "../rules/csi.ts";

/** StorageClass of storage.k8s.io. */
export const storageClassKind: Kind = defineKind({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  rules: storageClassRules,
  defaults: storageClassDefaults,
  plural: "storageclasses",
  shortNames: ["sc"],
  cluster: true,
  returnsDeletedObject: true,
  unconditionalUpdate: true,
  columns: [
    {
      ...builtinColumn("Provisioner", (object) => text(object, "provisioner")),
    },
    builtinColumn("ReclaimPolicy", (object) => text(object, "reclaimPolicy") || "Delete"),
    builtinColumn(
      "VolumeBindingMode",
      (object) => text(object, "volumeBindingMode") || "Immediate",
    ),
    builtinColumn("AllowVolumeExpansion", (object) => flag(object, "allowVolumeExpansion")),
    ageColumn,
  ],
});

/** The defaults of a StorageClass. */
function storageClassDefaults(storageClass: ApiObject): ApiObject {
  const fields = { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" };
  return withMembersOf(fillAbsent(storageClass, fields), storageClass);
}

/** VolumeAttributesClass of storage.k8s.io. */
export const volumeAttributesClassKind: Kind = defineKind({
  group: "storage.k8s.io",
  version: "v1",
  kind: "VolumeAttributesClass",
  strategy: () => ({
    prepareForCreate: (object) => protect(object, "kubernetes.io/vac-protection"),
  }),
  rules: attributesClassRules,
  returnsDeletedObject: true,
  unconditionalUpdate: true,
  plural: "volumeattributesclasses",
  shortNames: ["vac"],
  cluster: true,
  columns: [builtinColumn("DriverName", (object) => text(object, "driverName")), ageColumn],
});
