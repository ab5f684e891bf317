import { ageColumn, builtinColumn } from "./columns.ts";
import type { ApiObject, PrinterColumn } from "../api/resource-definition.ts";
import { count, field, flag, objects, orNone, text, texts } from "../base/read-fields.ts";

const SHORT_MODES: ReadonlyMap<string, string> = new Map([
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
]);

function accessModes(object: ApiObject, ...path: readonly string[]): string {
  return texts(object, ...path)
    .map((mode) => SHORT_MODES.get(mode) ?? mode)
    .join(",");
}

/** Deleted volumes and claims that finalizers hold back are shown as terminating. */
function phase(object: ApiObject): string {
  return object.metadata.deletionTimestamp === undefined
    ? text(object, "status", "phase")
    : "Terminating";
}

const VOLUME_MODE = builtinColumn(
  "VolumeMode",
  "What type of volume it is: Filesystem or Block.",
  (object) => text(object, "spec", "volumeMode") || "<unset>",
  { wide: true },
);
const ATTRIBUTES_CLASS = builtinColumn(
  "VolumeAttributesClass",
  "Name of the VolumeAttributesClass of the volume.",
  (object) => text(object, "spec", "volumeAttributesClassName") || "<unset>",
);

/** What `kubectl get persistentvolumes` shows. */
export const volumeColumns: readonly PrinterColumn[] = [
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
  ATTRIBUTES_CLASS,
  builtinColumn("Reason", "Why the volume is in its state.", (object) =>
    text(object, "status", "reason"),
  ),
  ageColumn,
  VOLUME_MODE,
];

/** What `kubectl get persistentvolumeclaims` shows. */
export const volumeClaimColumns: readonly PrinterColumn[] = [
  builtinColumn("Status", "Phase of the claim.", phase),
  builtinColumn("Volume", "The volume the claim is bound to.", (object) =>
    text(object, "spec", "volumeName"),
  ),
  builtinColumn("Capacity", "The actual resources of the underlying volume.", (object) =>
    text(object, "spec", "volumeName") === "" ? "" : text(object, "status", "capacity", "storage"),
  ),
  builtinColumn("Access Modes", "The actual access modes of the volume.", (object) =>
    text(object, "spec", "volumeName") === "" ? "" : accessModes(object, "status", "accessModes"),
  ),
  builtinColumn("StorageClass", "Name of the StorageClass required by the claim.", (object) =>
    text(object, "spec", "storageClassName"),
  ),
  ATTRIBUTES_CLASS,
  ageColumn,
  VOLUME_MODE,
];

/** What `kubectl get storageclasses` shows. */
export const storageClassColumns: readonly PrinterColumn[] = [
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
];

/** What `kubectl get csidrivers` shows. */
export const csiDriverColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "AttachRequired",
    "Whether this driver needs an attach operation.",
    (object) => field(object, "spec", "attachRequired") !== false,
    { type: "boolean" },
  ),
  builtinColumn(
    "PodInfoOnMount",
    "Whether the driver wants information on the pod at mount time.",
    (object) => flag(object, "spec", "podInfoOnMount"),
    { type: "boolean" },
  ),
  builtinColumn(
    "StorageCapacity",
    "Whether the driver's capacity is considered for scheduling.",
    (object) => flag(object, "spec", "storageCapacity"),
    { type: "boolean" },
  ),
  builtinColumn(
    "TokenRequests",
    "The audiences of tokens the driver needs.",
    (object) =>
      objects(object, "spec", "tokenRequests")
        .map((request) => text(request, "audience"))
        .join(",") || "<unset>",
  ),
  builtinColumn(
    "RequiresRepublish",
    "Whether the driver wants periodic calls of NodePublishVolume.",
    (object) => flag(object, "spec", "requiresRepublish"),
    { type: "boolean" },
  ),
  builtinColumn(
    "Modes",
    "The kinds of volumes this driver supports.",
    (object) => texts(object, "spec", "volumeLifecycleModes").join(",") || "Persistent",
  ),
  ageColumn,
];

/** What `kubectl get csinodes` shows. */
export const csiNodeColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "Drivers",
    "Number of drivers on the node.",
    (object) => objects(object, "spec", "drivers").length,
    { type: "integer" },
  ),
  ageColumn,
];

/** What `kubectl get volumeattachments` shows. */
export const volumeAttachmentColumns: readonly PrinterColumn[] = [
  builtinColumn("Attacher", "The name of the driver that must handle this request.", (object) =>
    text(object, "spec", "attacher"),
  ),
  builtinColumn("PV", "The volume to attach.", (object) =>
    text(object, "spec", "source", "persistentVolumeName"),
  ),
  builtinColumn("Node", "The node the volume should be attached to.", (object) =>
    text(object, "spec", "nodeName"),
  ),
  builtinColumn(
    "Attached",
    "Whether the volume is attached.",
    (object) => flag(object, "status", "attached"),
    { type: "boolean" },
  ),
  ageColumn,
];

/** What `kubectl get priorityclasses` shows. */
export const priorityClassColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "Value",
    "The integer value of this priority class.",
    (object) => count(object, "value"),
    { type: "integer" },
  ),
  builtinColumn(
    "Global-Default",
    "Whether it is the default for pods without a priority class.",
    (object) => flag(object, "globalDefault"),
    { type: "boolean" },
  ),
  ageColumn,
  builtinColumn(
    "PreemptionPolicy",
    "The policy for preempting pods with lower priority.",
    (object) => text(object, "preemptionPolicy") || "PreemptLowerPriority",
  ),
];

/** What `kubectl get runtimeclasses` shows. */
export const runtimeClassColumns: readonly PrinterColumn[] = [
  builtinColumn("Handler", "The underlying runtime and its configuration.", (object) =>
    orNone(text(object, "handler")),
  ),
  ageColumn,
];
