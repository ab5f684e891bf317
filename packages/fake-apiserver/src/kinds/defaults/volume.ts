import type { JsonObject } from "@listwatch/core-fifo/base";
import { fieldRefDefaults } from "./container.ts";
import { type Defaulter, each, fill, fillAbsent, within } from "./fill.ts";

const mode = { defaultMode: 420 };
const iscsi = { iscsiInterface: "default" };
const rbd = { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" };
const azureDisk = { cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" };
const scaleIo = { storageMode: "ThinProvisioned", fsType: "xfs" };

/** The defaults of the sources that volumes of pods and persistent volumes share. */
export const volumeSources: Readonly<Record<string, Defaulter>> = {
  hostPath: (source) => (source["type"] === undefined ? { ...source, type: "" } : source),
  iscsi: (source) => fill(source, iscsi),
  rbd: (source) => fill(source, rbd),
  azureDisk: (source) => fillAbsent(source, azureDisk),
  scaleIO: (source) => fill(source, scaleIo),
};

const podSources: Readonly<Record<string, Defaulter>> = {
  ...volumeSources,
  secret: (source) => fill(source, mode),
  configMap: (source) => fill(source, mode),
  downwardAPI: (source) => downwardDefaults(fill(source, mode)),
  projected: (source) => each(fill(source, mode), "sources", projectionDefaults),
  ephemeral: (source) => within(source, "volumeClaimTemplate", claimTemplateDefaults),
};

/** The defaults of a volume of a pod. */
export function volumeDefaults(volume: JsonObject): JsonObject {
  let sources = 0;
  let filled = volume;
  for (const name in volume) {
    if (name === "name") continue;
    sources++;
    const source = podSources[name];
    if (source !== undefined) filled = within(filled, name, source);
  }
  return sources === 0 ? { ...volume, emptyDir: {} } : filled;
}

function downwardDefaults(source: JsonObject): JsonObject {
  return each(source, "items", (item) => within(item, "fieldRef", fieldRefDefaults));
}

function projectionDefaults(projection: JsonObject): JsonObject {
  return within(
    within(projection, "downwardAPI", downwardDefaults),
    "serviceAccountToken",
    (token) => fill(token, { expirationSeconds: 3600 }),
  );
}

function claimTemplateDefaults(template: JsonObject): JsonObject {
  return within(fill(template, { metadata: {} }), "spec", claimDefaults);
}

/** The defaults of the spec of a persistent volume claim. */
export function claimDefaults(spec: JsonObject): JsonObject {
  return fillAbsent(spec, { volumeMode: "Filesystem" });
}
