import { isJsonEqual } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { csiDriverDefaults } from "./defaults/registrations.ts";
import { specDefaults } from "./defaults/fill.ts";
import { field, flag, objects, text, texts } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { dropFromCsiNode } from "./disabled-fields.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import {
  csiDriverRules,
  csiNodeRules,
  storageCapacityRules,
  volumeAttachmentRules,
} from "../rules/csi.ts";

/** CSIDriver of storage.k8s.io. */
export const csiDriverKind: Kind = defineKind({
  group: "storage.k8s.io",
  version: "v1",
  kind: "CSIDriver",
  rules: csiDriverRules,
  strategy: () => ({ prepareForUpdate: startGeneration }),
  returnsDeletedObject: true,
  cluster: true,
  defaults: specDefaults(csiDriverDefaults),
  columns: [
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
  ],
});

// A new driver has no generation; the first change of its spec makes it 1.
function startGeneration(driver: ApiObject, stored: ApiObject): ApiObject {
  const isCounted = stored.metadata.generation !== undefined;
  if (isCounted || isJsonEqual(driver["spec"], stored["spec"])) return driver;
  return { ...driver, metadata: { ...driver.metadata, generation: 1 } };
}

/** CSINode of storage.k8s.io. */
export const csiNodeKind: Kind = defineKind({
  group: "storage.k8s.io",
  version: "v1",
  kind: "CSINode",
  status: true,
  dropDisabled: dropFromCsiNode,
  rules: csiNodeRules,
  returnsDeletedObject: true,
  cluster: true,
  columns: [
    builtinColumn(
      "Drivers",
      "Number of drivers on the node.",
      (object) => objects(object, "spec", "drivers").length,
      { type: "integer" },
    ),
    ageColumn,
  ],
});

/** VolumeAttachment of storage.k8s.io. */
export const volumeAttachmentKind: Kind = defineKind({
  group: "storage.k8s.io",
  version: "v1",
  kind: "VolumeAttachment",
  rules: volumeAttachmentRules,
  cluster: true,
  status: true,
  returnsDeletedObject: true,
  columns: [
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
  ],
});

/** CSIStorageCapacity of storage.k8s.io. */
export const csiStorageCapacityKind: Kind = defineKind({
  group: "storage.k8s.io",
  version: "v1",
  kind: "CSIStorageCapacity",
  rules: storageCapacityRules,
  plural: "csistoragecapacities",
  columns: [
    builtinColumn("StorageClassName", "The class of the volumes.", (capacity) =>
      text(capacity, "storageClassName"),
    ),
    builtinColumn("Capacity", "The capacity that is left.", (capacity) =>
      text(capacity, "capacity"),
    ),
  ],
});
