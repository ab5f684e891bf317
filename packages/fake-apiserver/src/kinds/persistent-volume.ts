import { admitClaim } from "./admission/volume-claim.ts";
import { volumeRules } from "../rules/volume.ts";
import { volumeClaimRules } from "../rules/volume-claim.ts";
import { volumeSources, claimDefaults } from "./defaults/volume.ts";
import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { timestamp } from "../base/server-clock.ts";
import { specDefaults, fill, fillAbsent, within, withPhase } from "./defaults/fill.ts";
import type { ApiObject } from "../api/api-object.ts";
import { field, text, texts } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { protect } from "./admission/protection.ts";

const shortModes: ReadonlyMap<string, string> = new Map([
  ["ReadWriteOnce", "RWO"],
  ["ReadOnlyMany", "ROX"],
  ["ReadWriteMany", "RWX"],
  ["ReadWriteOncePod", "RWOP"],
]);

const volumeModeColumn = builtinColumn(
  "VolumeMode",
  (object) => text(object, "spec", "volumeMode") || "<unset>",
  { wide: true },
);

const attributesClassColumn = builtinColumn(
  "VolumeAttributesClass",
  (object) => text(object, "spec", "volumeAttributesClassName") || "<unset>",
);

/** PersistentVolumeClaim of the core group. */
export const persistentVolumeClaimKind: Kind = defineKind({
  version: "v1",
  kind: "PersistentVolumeClaim",
  rules: volumeClaimRules,
  defaults: (claim) => withPhase(specDefaults(claimDefaults)(claim), "Pending"),
  strategy: (host) => ({
    admit: (claim, stored) => admitClaim(claim, stored, host),
    prepareForCreate: (claim) => ({
      ...protect(withSources(claim, undefined), "kubernetes.io/pvc-protection"),
      status: { phase: "Pending" },
    }),
    prepareForUpdate: withSources,
  }),
  unconditionalUpdate: true,
  shortNames: ["pvc"],
  status: true,
  returnsDeletedObject: true,
  columns: [
    builtinColumn("Status", phase),
    builtinColumn("Volume", (object) => text(object, "spec", "volumeName")),
    builtinColumn("Capacity", (object) =>
      text(object, "spec", "volumeName") === ""
        ? ""
        : text(object, "status", "capacity", "storage"),
    ),
    builtinColumn("Access Modes", (object) =>
      text(object, "spec", "volumeName") === "" ? "" : accessModes(object, "status", "accessModes"),
    ),
    builtinColumn("StorageClass", (object) => text(object, "spec", "storageClassName")),
    attributesClassColumn,
    ageColumn,
    volumeModeColumn,
  ],
});

/** PersistentVolume of the core group. */
export const persistentVolumeKind: Kind = defineKind({
  version: "v1",
  kind: "PersistentVolume",
  rules: volumeRules,
  defaults: (volume) => withPhase(specDefaults(volumeDefaults)(volume), "Pending"),
  strategy: ({ clock }) => ({
    prepareForCreate: (volume) => ({
      ...protect(volume, "kubernetes.io/pv-protection"),
      status: { phase: "Pending", lastPhaseTransitionTime: timestamp(clock.now()) },
    }),
    prepareForUpdate: (volume, stored) => timePhase(volume, stored, timestamp(clock.now())),
  }),
  unconditionalUpdate: true,
  shortNames: ["pv"],
  cluster: true,
  status: true,
  returnsDeletedObject: true,
  columns: [
    builtinColumn("Capacity", (object) => text(object, "spec", "capacity", "storage")),
    builtinColumn("Access Modes", (object) => accessModes(object, "spec", "accessModes")),
    builtinColumn("Reclaim Policy", (object) =>
      text(object, "spec", "persistentVolumeReclaimPolicy"),
    ),
    builtinColumn("Status", phase),
    builtinColumn("Claim", (object) => {
      const claim = field(object, "spec", "claimRef");
      return claim === undefined ? "" : `${text(claim, "namespace")}/${text(claim, "name")}`;
    }),
    builtinColumn("StorageClass", (object) => text(object, "spec", "storageClassName")),
    attributesClassColumn,
    builtinColumn("Reason", (object) => text(object, "status", "reason")),
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

/** The defaults of the spec of a PersistentVolume. */
function volumeDefaults(spec: JsonObject): JsonObject {
  let filled = fill(spec, { persistentVolumeReclaimPolicy: "Retain" });
  filled = fillAbsent(filled, { volumeMode: "Filesystem" });
  for (const [name, source] of Object.entries(volumeSources)) filled = within(filled, name, source);
  return filled;
}

// pkg/registry/core/persistentvolume/strategy.go: the time of the last change of the phase.
function timePhase(volume: ApiObject, stored: ApiObject, now: string): ApiObject {
  const member = "lastPhaseTransitionTime";
  const [status, before] = [volume, stored].map((one) => recordOf(one["status"]));
  if (status === undefined || before === undefined) return volume;
  const isSame = status["phase"] === before["phase"];
  const sent = status[member];
  if (isSame && (sent !== undefined || before[member] === undefined)) return volume;
  if (!isSame && sent !== undefined && sent !== before[member]) return volume;
  return { ...volume, status: { ...status, [member]: isSame ? before[member] : now } };
}

const snapshots = "snapshot.storage.k8s.io";

// pkg/api/persistentvolumeclaim/util.go: a source of a kind that was never supported is dropped,
// and the two fields for sources become equal.
function withSources(sent: ApiObject, stored: ApiObject | undefined): ApiObject {
  const { dataSource: oldSource, dataSourceRef: oldRef } = recordOf(stored?.["spec"]);
  const claim = oldRef === undefined ? withoutForeignSource(sent) : sent;
  const spec = recordOf(claim["spec"]);
  const { dataSource, dataSourceRef } = spec;
  const wasGiven = oldSource !== undefined || oldRef !== undefined;
  if (isRecord(dataSourceRef)) {
    const isLocal = text(dataSourceRef, "namespace") === "";
    if (dataSource !== undefined || !isLocal) return claim;
    return { ...claim, spec: { ...spec, dataSource: dataSourceRef } };
  }
  if (!isRecord(dataSource)) return claim;
  if (wasGiven || isKnownSource(dataSource)) {
    return { ...claim, spec: { ...spec, dataSourceRef: dataSource } };
  }
  const { dataSource: _dropped, ...kept } = spec;
  return { ...claim, spec: kept };
}

// The feature gate CrossNamespaceVolumeDataSource is off.
function withoutForeignSource(claim: ApiObject): ApiObject {
  const { dataSourceRef, ...spec } = recordOf(claim["spec"]);
  return text(dataSourceRef, "namespace") === "" ? claim : { ...claim, spec };
}

function isKnownSource(source: JsonObject): boolean {
  const group = text(source, "apiGroup");
  const kind = text(source, "kind");
  return kind === "VolumeSnapshot"
    ? group === snapshots
    : kind === "PersistentVolumeClaim" && group === "";
}
