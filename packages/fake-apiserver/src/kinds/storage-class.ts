import { flag, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** StorageClass of storage.k8s.io. */
export const storageClassKind: Kind = defineKind({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  plural: "storageclasses",
  shortNames: ["sc"],
  cluster: true,
  returnsDeletedObject: true,
  unconditionalUpdate: true,
  columns: [
    {
      ...builtinColumn("Provisioner", "The type of the provisioner.", (object) =>
        text(object, "provisioner"),
      ),
    },
    builtinColumn(
      "ReclaimPolicy",
      "The reclaim policy of dynamically provisioned volumes.",
      (object) => text(object, "reclaimPolicy") || "Delete",
    ),
    builtinColumn(
      "VolumeBindingMode",
      "How volumes of this class are provisioned and bound.",
      (object) => text(object, "volumeBindingMode") || "Immediate",
    ),
    builtinColumn("AllowVolumeExpansion", "Whether the class allows volumes to expand.", (object) =>
      flag(object, "allowVolumeExpansion"),
    ),
    ageColumn,
  ],
  docs: {
    "storage.StorageClass": {
      description:
        "StorageClass describes the parameters of volumes that are provisioned dynamically.",
      fields: {
        provisioner: ["string", "The type of the provisioner."],
        parameters: ["map", "Parameters of the provisioner."],
        reclaimPolicy: ["string", "Delete (default) or Retain."],
        volumeBindingMode: ["string", "Immediate (default) or WaitForFirstConsumer."],
        allowVolumeExpansion: ["boolean", "Whether volumes can be enlarged."],
        mountOptions: ["[]string", "Options for mounting the volumes."],
      },
      required: ["provisioner"],
    },
  },
});
