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
    builtinColumn("AttachRequired", (object) => field(object, "spec", "attachRequired") !== false, {
      type: "boolean",
    }),
    builtinColumn("PodInfoOnMount", (object) => flag(object, "spec", "podInfoOnMount"), {
      type: "boolean",
    }),
    builtinColumn("StorageCapacity", (object) => flag(object, "spec", "storageCapacity"), {
      type: "boolean",
    }),
    builtinColumn(
      "TokenRequests",
      (object) =>
        objects(object, "spec", "tokenRequests")
          .map((request) => text(request, "audience"))
          .join(",") || "<unset>",
    ),
    builtinColumn("RequiresRepublish", (object) => flag(object, "spec", "requiresRepublish"), {
      type: "boolean",
    }),
    builtinColumn(
      "Modes",
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
    builtinColumn("Drivers", (object) => objects(object, "spec", "drivers").length, {
      type: "integer",
    }),
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
    {
      ...builtinColumn("Attacher", (object) => text(object, "spec", "attacher")),
      format: "name",
    },
    builtinColumn("PV", (object) => text(object, "spec", "source", "persistentVolumeName")),
    builtinColumn("Node", (object) => text(object, "spec", "nodeName")),
    builtinColumn("Attached", (object) => flag(object, "status", "attached"), { type: "boolean" }),
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
});
