import type { ApiObject } from "../api/resource-definition.ts";
import { field, text, texts } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

const shortModes: ReadonlyMap<string, string> = new Map([
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
]);

const volumeModeColumn = builtinColumn(
  "VolumeMode",
  "What type of volume it is: Filesystem or Block.",
  (object) => text(object, "spec", "volumeMode") || "<unset>",
  { wide: true },
);

const attributesClassColumn = builtinColumn(
  "VolumeAttributesClass",
  "Name of the VolumeAttributesClass of the volume.",
  (object) => text(object, "spec", "volumeAttributesClassName") || "<unset>",
);

/** PersistentVolumeClaim of the core group. */
export const persistentVolumeClaimKind: Kind = defineKind({
  version: "v1",
  kind: "PersistentVolumeClaim",
  unconditionalUpdate: true,
  shortNames: ["pvc"],
  status: true,
  returnsDeletedObject: true,
  columns: [
    builtinColumn("Status", "Phase of the claim.", phase),
    builtinColumn("Volume", "The volume the claim is bound to.", (object) =>
      text(object, "spec", "volumeName"),
    ),
    builtinColumn("Capacity", "The actual resources of the underlying volume.", (object) =>
      text(object, "spec", "volumeName") === ""
        ? ""
        : text(object, "status", "capacity", "storage"),
    ),
    builtinColumn("Access Modes", "The actual access modes of the volume.", (object) =>
      text(object, "spec", "volumeName") === "" ? "" : accessModes(object, "status", "accessModes"),
    ),
    builtinColumn("StorageClass", "Name of the StorageClass required by the claim.", (object) =>
      text(object, "spec", "storageClassName"),
    ),
    attributesClassColumn,
    ageColumn,
    volumeModeColumn,
  ],
  docs: {
    "core.PersistentVolumeClaim": {
      description: "PersistentVolumeClaim is a user's request for a persistent volume.",
      fields: {
        spec: [
          "core.PersistentVolumeClaimSpec",
          "The characteristics of the volume that is asked for.",
        ],
        status: ["core.PersistentVolumeClaimStatus", "The current state of the claim. Read-only."],
      },
    },
    "core.PersistentVolumeClaimSpec": {
      description: "PersistentVolumeClaimSpec describes what is asked for.",
      fields: {
        accessModes: ["[]string", "The access modes the volume should have."],
        resources: ["object", "The least resources the volume should have."],
        storageClassName: ["string", "The name of the StorageClass the claim requires."],
        volumeName: ["string", "The volume that backs the claim."],
        volumeMode: ["string", "Filesystem (default) or Block."],
        selector: ["meta.LabelSelector", "A query over the volumes to consider."],
        dataSource: ["object", "A snapshot or another claim the volume is filled from."],
      },
    },
    "core.PersistentVolumeClaimStatus": {
      description: "PersistentVolumeClaimStatus is the current state of a claim.",
      fields: {
        phase: ["string", "Pending, Bound or Lost."],
        accessModes: ["[]string", "The actual access modes of the volume."],
        capacity: ["map[quantity]", "The actual resources of the volume."],
        conditions: ["[]meta.Condition", "The current condition of the claim."],
      },
    },
  },
});

/** PersistentVolume of the core group. */
export const persistentVolumeKind: Kind = defineKind({
  version: "v1",
  kind: "PersistentVolume",
  unconditionalUpdate: true,
  shortNames: ["pv"],
  cluster: true,
  status: true,
  returnsDeletedObject: true,
  columns: [
    builtinColumn("Capacity", "The persistent volume's capacity.", (object) =>
      text(object, "spec", "capacity", "storage"),
    ),
    builtinColumn("Access Modes", "All ways the volume can be mounted.", (object) =>
      accessModes(object, "spec", "accessModes"),
    ),
    builtinColumn(
      "Reclaim Policy",
      "What happens to a persistent volume when released from its claim.",
      (object) => text(object, "spec", "persistentVolumeReclaimPolicy"),
    ),
    builtinColumn("Status", "Phase of the volume.", phase),
    builtinColumn("Claim", "The claim the volume is bound to.", (object) => {
      const claim = field(object, "spec", "claimRef");
      return claim === undefined ? "" : `${text(claim, "namespace")}/${text(claim, "name")}`;
    }),
    builtinColumn("StorageClass", "Name of the StorageClass of the volume.", (object) =>
      text(object, "spec", "storageClassName"),
    ),
    attributesClassColumn,
    builtinColumn("Reason", "Why the volume is in its state.", (object) =>
      text(object, "status", "reason"),
    ),
    ageColumn,
    volumeModeColumn,
  ],
});

function accessModes(object: ApiObject, ...path: readonly string[]): string {
  return texts(object, ...path)
    .map((mode) => shortModes.get(mode) ?? mode)
    .join(",");
}

/** Deleted volumes and claims that finalizers hold back are shown as terminating. */
function phase(object: ApiObject): string {
  return object.metadata.deletionTimestamp === undefined
    ? text(object, "status", "phase")
    : "Terminating";
}
