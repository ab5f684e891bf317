import { isJsonEqual, isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { exceedsBytes, goJson, goStruct } from "../base/go-text.ts";
import { count, objects, repeatedIndexes, text, texts } from "../base/read-fields.ts";
import {
  duplicate,
  forbidden,
  invalid,
  invalidShown,
  notSupported,
  required,
  tooLong,
} from "../validation/field-errors.ts";
import { checkLabelSelector } from "../validation/label-selector.ts";
import { checkDnsSubdomain, checkQualifiedName } from "../validation/names.ts";
import { checkImmutable, checkListed, checkNotNegative, checkText } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";
import { checkQuantity } from "./quantities.ts";

// k8s.io/kubernetes pkg/apis/storage/validation and pkg/apis/core/validation.
const maxDriverName = 63;
const maxNodeId = 256;
const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;
const minPeriodSeconds = 10;
const groupPolicies = ["File", "None", "ReadWriteOnceWithFSType"];
const lifecycles = ["Persistent", "Ephemeral"];

/** The name of a driver of volumes: a domain, in letters of any case. */
export function checkDriverName(field: string, name: string): readonly FieldError[] {
  if (name === "") return [required(field)];
  const errors = exceedsBytes(name, maxDriverName) ? [tooLong(field, maxDriverName)] : [];
  return [
    ...errors,
    ...checkDnsSubdomain(name.toLowerCase()).map((why) => invalid(field, name, why)),
  ];
}

const tokensWarning =
  "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes";

/** Rules for CSIDrivers. */
export const csiDriverRules: ObjectRules = rulesOf(
  (driver) => checkDriver(recordOf(driver["spec"])),
  {
    first: "check",
    changes: (driver, stored) => {
      const [spec, before] = [recordOf(driver["spec"]), recordOf(stored["spec"])];
      // Intended: the real server reports the first path like this.
      return [
        ...checkImmutable(
          "spec.attachedRequired",
          spec["attachRequired"],
          before["attachRequired"],
        ),
        ...checkImmutable(
          "spec.volumeLifecycleModes",
          spec["volumeLifecycleModes"],
          before["volumeLifecycleModes"],
        ),
      ];
    },
    warnings: (driver, stored) => {
      const requests = recordOf(driver["spec"])["tokenRequests"];
      const before = recordOf(stored?.["spec"])["tokenRequests"];
      const isUnset = recordOf(driver["spec"])["serviceAccountTokenInSecrets"] === undefined;
      const isChanged = stored === undefined || !isJsonEqual(requests, before);
      const hasRequests = Array.isArray(requests) && requests.length > 0;
      return hasRequests && isUnset && isChanged ? [tokensWarning] : [];
    },
  },
);

function checkDriver(spec: JsonObject): readonly FieldError[] {
  const { fsGroupPolicy, nodeAllocatableUpdatePeriodSeconds: period } = spec;
  const requests = objects(spec, "tokenRequests");
  const errors: FieldError[] = [];
  for (const [name, shown] of [
    ["attachRequired", "attachedRequired"],
    ["podInfoOnMount", "podInfoOnMount"],
    ["storageCapacity", "storageCapacity"],
  ] as const) {
    if (spec[name] === undefined) errors.push(required(`spec.${shown}`));
  }
  if (fsGroupPolicy !== undefined) {
    errors.push(...checkListed("spec.fsGroupPolicy", fsGroupPolicy, groupPolicies));
  }
  errors.push(...checkTokenRequests("spec.tokenRequests", requests));
  for (const mode of texts(spec, "volumeLifecycleModes")) {
    if (lifecycles.includes(mode)) continue;
    errors.push(notSupported("spec.volumeLifecycleModes", mode, lifecycles));
  }
  if (typeof period === "number" && period < minPeriodSeconds) {
    const problem = `must be greater than or equal to ${minPeriodSeconds} seconds`;
    errors.push(invalid("spec.nodeAllocatableUpdatePeriodSeconds", period, problem));
  }
  const inSecrets = spec["serviceAccountTokenInSecrets"];
  if (inSecrets !== undefined && requests.length === 0) {
    const problem = "serviceAccountTokenInSecrets is set but no tokenRequests are specified";
    errors.push(invalid("spec.serviceAccountTokenInSecrets", inSecrets, problem));
  }
  return errors;
}

function checkTokenRequests(field: string, requests: readonly JsonObject[]): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap((request, index) => {
    const at = `${field}[${index}]`;
    const audience = text(request, "audience");
    if (audiences.has(audience)) return [duplicate(`${at}.audience`, audience)];
    audiences.add(audience);
    const seconds = request["expirationSeconds"];
    if (typeof seconds !== "number") return [];
    const problem =
      seconds < minTokenSeconds
        ? "may not specify a duration less than 10 minutes"
        : "may not specify a duration larger than 2^32 seconds";
    const isFine = seconds >= minTokenSeconds && seconds <= maxTokenSeconds;
    return isFine ? [] : [invalid(`${at}.expirationSeconds`, seconds, problem)];
  });
}

/** Rules for CSINodes. */
export const csiNodeRules: ObjectRules = rulesOf(
  (node) => {
    const names = new Set<string>();
    return objects(node, "spec", "drivers").flatMap((driver, index) => {
      const field = `spec.drivers[${index}]`;
      const name = text(driver, "name");
      const isTaken = names.has(name);
      names.add(name);
      return checkDriverName(`${field}.name`, name).concat(
        checkNodeDriver(field, driver),
        isTaken ? [duplicate(`${field}.name`, name)] : [],
        checkTopology(field, texts(driver, "topologyKeys")),
      );
    });
  },
  { first: "check", changes: checkNodeChanges },
);

function checkNodeDriver(field: string, driver: JsonObject): readonly FieldError[] {
  const id = text(driver, "nodeID");
  const at = `${field}.nodeID`;
  const errors: FieldError[] = id === "" ? [required(at)] : [];
  if (exceedsBytes(id, maxNodeId)) {
    errors.push(invalid(at, id, `must be ${maxNodeId} characters or less`));
  }
  const limit = recordOf(driver["allocatable"])["count"];
  return [...errors, ...checkNotNegative(`${field}.allocatable.count`, limit)];
}

function checkTopology(field: string, keys: readonly string[]): FieldError[] {
  const repeated = repeatedIndexes(keys);
  return keys.flatMap((key, index) => [
    ...(key === "" ? [required(field)] : []),
    ...(repeated.has(index) ? [duplicate(field, key)] : []),
    ...checkText(field, key, checkQualifiedName),
  ]);
}

// A driver's data about its node is immutable, except the number of volumes.
function checkNodeChanges(node: ApiObject, stored: ApiObject): readonly FieldError[] {
  const drivers = new Map(
    objects(node, "spec", "drivers").map((driver) => [text(driver, "name"), driver]),
  );
  const bare = ({ allocatable: _allocatable, ...driver }: JsonObject): JsonObject => driver;
  return objects(stored, "spec", "drivers").flatMap((before) => {
    const now = drivers.get(text(before, "name"));
    if (now === undefined || isJsonEqual(bare(now), bare(before))) return [];
    const shown = goStruct({
      Name: text(now, "name"),
      NodeID: text(now, "nodeID"),
      TopologyKeys: now["topologyKeys"] ?? null,
      Allocatable: null,
    });
    return [invalidShown("spec.drivers", shown, "field is immutable")];
  });
}

/** Rules for CSIStorageCapacities. */
export const storageCapacityRules: ObjectRules = rulesOf(
  (capacity) => [
    ...checkLabelSelector("nodeTopology", capacity["nodeTopology"]),
    ...checkText("storageClassName", text(capacity, "storageClassName"), checkDnsSubdomain),
    ...(capacity["capacity"] === undefined
      ? []
      : checkQuantity("capacity", capacity["capacity"], false)),
  ],
  {
    first: "check",
    changes: (capacity, stored) =>
      ["nodeTopology", "storageClassName"].flatMap((name) =>
        checkImmutable(name, capacity[name], stored[name]),
      ),
  },
);

/** Rules for VolumeAttributesClasses. */
export const attributesClassRules: ObjectRules = rulesOf(
  (attributes) => {
    const driver = text(attributes, "driverName");
    const parameters = Object.keys(recordOf(attributes["parameters"]));
    return [
      ...(driver === ""
        ? [required("driverName")]
        : checkText("driverName", driver.toLowerCase(), checkQualifiedName)),
      ...(parameters.includes("") ? [invalid("parameters", "", "field can not be empty.")] : []),
      ...(parameters.length === 0
        ? [required("parameters", "must contain at least one key/value pair")]
        : []),
    ];
  },
  {
    changes: (attributes, stored) =>
      ["driverName", "parameters"]
        .filter((name) => !isJsonEqual(attributes[name], stored[name]))
        .map((name) => forbidden(name, `updates to ${name} are forbidden.`)),
  },
);

/** Rules for VolumeAttachments. */
export const volumeAttachmentRules: ObjectRules = rulesOf(checkAttachment, {
  first: "check",
  changes: checkAttachmentChanges,
  status: (attachment, stored) => [
    ...checkAttachment(attachment),
    ...checkAttachmentChanges(attachment, stored),
  ],
});

function checkAttachment(attachment: ApiObject): readonly FieldError[] {
  const spec = recordOf(attachment["spec"]);
  const source = recordOf(spec["source"]);
  const volume = source["persistentVolumeName"];
  const status = recordOf(attachment["status"]);
  return [
    ...checkDriverName("spec.attacher", text(spec, "attacher")),
    ...checkAttachmentSource("spec.source", source),
    ...checkText("spec.nodeName", text(spec, "nodeName"), checkDnsSubdomain),
    ...["attachError", "detachError"].flatMap((name) =>
      count(status, name, "errorCode") < 0
        ? [
            invalid(
              `status.${name}.errorCode`,
              count(status, name, "errorCode"),
              "must be between 0 and 2147483647, inclusive",
            ),
          ]
        : [],
    ),
    ...(typeof volume === "string"
      ? checkText("spec.source.persistentVolumeName", volume, checkDnsSubdomain)
      : []),
  ];
}

function checkAttachmentSource(field: string, source: JsonObject): readonly FieldError[] {
  const volume = source["persistentVolumeName"];
  const hasInline = isRecord(source["inlineVolumeSpec"]);
  const detail = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (volume === undefined) return hasInline ? [] : [required(field, detail)];
  if (hasInline) return [forbidden(field, detail)];
  const at = `${field}.persistentVolumeName`;
  return volume === "" ? [required(at, "must specify non empty persistentVolumeName")] : [];
}

function checkAttachmentChanges(attachment: ApiObject, stored: ApiObject): readonly FieldError[] {
  const spec = recordOf(attachment["spec"]);
  if (isJsonEqual(spec, stored["spec"])) return [];
  const source = recordOf(spec["source"]);
  const volume = goStruct({
    PersistentVolumeName: source["persistentVolumeName"] ?? null,
    InlineVolumeSpec: source["inlineVolumeSpec"] ?? null,
  });
  const [attacher, node] = ["attacher", "nodeName"].map((name) => goJson(text(spec, name)));
  const shown = `{"Attacher":${attacher},"Source":${volume},"NodeName":${node}}`;
  return [invalidShown("spec", shown, "field is immutable")];
}
