import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { goQuote } from "../../base/go-text.ts";
import { count, objects, text } from "../../base/read-fields.ts";
import { quantityNanos } from "../../schema/quantity.ts";
import { deprecatedNodeLabel } from "../node.ts";
import { appArmorPrefix, seccompContainerPrefix, seccompPodKey } from "./annotations.ts";
import { pathWarnings } from "./path-warnings.ts";
import { type PlacedContainer, portWarnings } from "./port-warnings.ts";

/**
 * Warnings for the author of a pod or a template (k8s.io/kubernetes pkg/api/pod/warnings.go), in
 * the order of the server.
 *
 * @param at the path of a template with a dot at its end; "" for a pod
 */
export function podWarnings(at: string, pod: JsonObject): readonly string[] {
  const annotations = recordOf(recordOf(pod["metadata"])["annotations"]);
  const spec = recordOf(pod["spec"]);
  const containers = placedContainers(`${at}spec`, spec);
  return [
    ...placementWarnings(`${at}spec`, spec),
    ...oldAnnotationWarnings(`${at}metadata.annotations`, annotations),
    ...volumeWarnings(`${at}spec.volumes`, spec),
    ...pathWarnings(spec),
    ...repetitionWarnings(`${at}spec`, spec),
    ...byteWarnings(`${at}spec.overhead`, recordOf(spec["overhead"])),
    ...seccompWarning(`${at}metadata.annotations`, seccompPodKey, annotations, spec),
    ...containers.flatMap((placed) => containerWarnings(at, placed, annotations, spec)),
    ...portWarnings(containers),
    ...graceWarnings(`${at}spec`, spec),
    ...affinityWarnings(`${at}spec.affinity`, recordOf(spec["affinity"])),
  ];
}

function placedContainers(at: string, spec: JsonObject): readonly PlacedContainer[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((name) =>
    objects(spec, name).map((container, index) => ({ at: `${at}.${name}[${index}]`, container })),
  );
}

function placementWarnings(at: string, spec: JsonObject): readonly string[] {
  const warnings: string[] = [];
  for (const key of Object.keys(recordOf(spec["nodeSelector"]))) {
    const problem = deprecatedNodeLabel(key);
    if (problem !== undefined) warnings.push(`${at}.nodeSelector[${key}]: ${problem}`);
  }
  const affinity = recordOf(recordOf(spec["affinity"])["nodeAffinity"]);
  const field = `${at}.affinity.nodeAffinity`;
  for (const [index, term] of objects(affinity, required, "nodeSelectorTerms").entries()) {
    warnings.push(...termWarnings(`${field}.${required}.nodeSelectorTerms[${index}]`, term));
  }
  for (const [index, term] of objects(affinity, preferred).entries()) {
    const preference = recordOf(term["preference"]);
    warnings.push(...termWarnings(`${field}.${preferred}[${index}].preference`, preference));
  }
  for (const [index, constraint] of objects(spec, "topologySpreadConstraints").entries()) {
    const where = `${at}.topologySpreadConstraints[${index}]`;
    warnings.push(...keyWarning(`${where}.topologyKey`, text(constraint, "topologyKey")));
    if (!isRecord(constraint["labelSelector"])) warnings.push(nullSelector(where));
  }
  return warnings;
}

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";

function nullSelector(at: string): string {
  return `${at}.labelSelector: a null labelSelector results in matching no pod`;
}

function termWarnings(at: string, term: JsonObject): readonly string[] {
  return objects(term, "matchExpressions").flatMap((expression, index) =>
    keyWarning(`${at}.matchExpressions[${index}].key`, text(expression, "key")),
  );
}

function keyWarning(at: string, key: string): readonly string[] {
  const problem = deprecatedNodeLabel(key);
  return problem === undefined ? [] : [`${at}: ${key} is ${problem}`];
}

const oldAnnotations: readonly (readonly [key: string, problem: string])[] = [
  [
    "scheduler.alpha.kubernetes.io/critical-pod",
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  [
    "security.alpha.kubernetes.io/sysctls",
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
  [
    "security.alpha.kubernetes.io/unsafe-sysctls",
    'non-functional in v1.11+; use the "sysctls" field instead',
  ],
];

function oldAnnotationWarnings(at: string, annotations: JsonObject): readonly string[] {
  return oldAnnotations
    .filter(([key]) => Object.hasOwn(annotations, key))
    .map(([key, problem]) => `${at}[${key}]: ${problem}`);
}

const oldVolumes: ReadonlyMap<string, string> = new Map([
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+"],
  ["quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
]);

function volumeWarnings(at: string, spec: JsonObject): readonly string[] {
  return objects(spec, "volumes").flatMap((volume, index) =>
    [...oldVolumes]
      .filter(([name]) => isRecord(volume[name]))
      // The server writes this one name as its own type has it.
      .map(
        ([name, problem]) =>
          `${at}[${index}].${name === "storageos" ? "storageOS" : name}: ${problem}`,
      ),
  );
}

function repetitionWarnings(at: string, spec: JsonObject): readonly string[] {
  const secrets = objects(spec, "imagePullSecrets");
  return [
    ...repetitions(`${at}.hostAliases`, "ip", objects(spec, "hostAliases")),
    ...repetitions(`${at}.imagePullSecrets`, "name", secrets),
    ...secrets.flatMap((secret, index) =>
      text(secret, "name") === ""
        ? [`${at}.imagePullSecrets[${index}].name: invalid empty name ""`]
        : [],
    ),
  ];
}

function repetitions(at: string, name: string, list: readonly JsonObject[]): readonly string[] {
  const seen = new Set<string>();
  return list.flatMap((item, index) => {
    const value = text(item, name);
    if (seen.has(value)) return [`${at}[${index}].${name}: duplicate ${name} ${goQuote(value)}`];
    seen.add(value);
    return [];
  });
}

const nanosPerUnit = 1_000_000_000n;

// Most quantities of bytes need not be read.
const wholeBytes = /^(?:\d+(?:k|[KMGTPE]i?)?)?$/;

function byteWarnings(at: string, quantities: JsonObject): readonly string[] {
  return ["memory", "ephemeral-storage"].flatMap((name) => {
    const quantity = text(quantities, name);
    if (wholeBytes.test(quantity)) return [];
    const nanos = quantityNanos(quantity) ?? 0n;
    if (nanos % nanosPerUnit === 0n) return [];
    const problem = `fractional byte value ${goQuote(quantity)} is invalid, must be an integer`;
    return [`${at}[${name}]: ${problem}`];
  });
}

function seccompWarning(
  at: string,
  key: string,
  annotations: JsonObject,
  owner: JsonObject,
): readonly string[] {
  const hasProfile = isRecord(recordOf(owner["securityContext"])["seccompProfile"]);
  if (hasProfile || !Object.hasOwn(annotations, key)) return [];
  return [`${at}[${key}]: non-functional in v1.27+; use the "seccompProfile" field instead`];
}

function containerWarnings(
  podAt: string,
  { at, container }: PlacedContainer,
  annotations: JsonObject,
  spec: JsonObject,
): readonly string[] {
  const field = `${podAt}metadata.annotations`;
  const name = text(container, "name");
  const seccompKey = seccompContainerPrefix + name;
  const appArmorKey = appArmorPrefix + name;
  const hasProfile = [spec, container].some((owner) =>
    isRecord(recordOf(owner["securityContext"])["appArmorProfile"]),
  );
  const isOld = podAt !== "" && !hasProfile && Object.hasOwn(annotations, appArmorKey);
  const resources = recordOf(container["resources"]);
  const limits = byteWarnings(`${at}.resources.limits`, recordOf(resources["limits"]));
  const requests = byteWarnings(`${at}.resources.requests`, recordOf(resources["requests"]));
  return [
    ...seccompWarning(field, seccompKey, annotations, container),
    ...(isOld
      ? [
          `${field}[${appArmorKey}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
        ]
      : []),
    ...limits,
    ...requests,
    ...variableWarnings(`${at}.env`, objects(container, "env")),
  ];
}

function variableWarnings(at: string, variables: readonly JsonObject[]): readonly string[] {
  const names = new Set<string>();
  return variables.flatMap((variable, index) => {
    const name = text(variable, "name");
    const value = text(variable, "value");
    if (!names.has(name)) {
      names.add(name);
      return [];
    }
    // A value that adds to the earlier one hides nothing.
    const earlier = `$(${name})`;
    const adds = value !== earlier && value.includes(earlier);
    if (adds && variable["valueFrom"] === undefined) return [];
    const effect = "which may be dropped when using apply";
    return [`${at}[${index}]: hides previous definition of ${goQuote(name)}, ${effect}`];
  });
}

function graceWarnings(at: string, spec: JsonObject): readonly string[] {
  if (count(spec, "terminationGracePeriodSeconds") >= 0) return [];
  const problem = "must be >= 0; negative values are invalid and will be treated as 1";
  return [`${at}.terminationGracePeriodSeconds: ${problem}`];
}

function affinityWarnings(at: string, affinity: JsonObject): readonly string[] {
  const warnings: string[] = [];
  const check = (field: string, term: JsonObject): void => {
    if (!isRecord(term["labelSelector"])) warnings.push(nullSelector(field));
  };
  for (const name of ["podAffinity", "podAntiAffinity"]) {
    const field = `${at}.${name}`;
    for (const [index, term] of objects(affinity, name, required).entries()) {
      check(`${field}.${required}[${index}]`, term);
    }
    for (const [index, term] of objects(affinity, name, preferred).entries()) {
      const inner = recordOf(term["podAffinityTerm"]);
      check(`${field}.${preferred}[${index}].podAffinityTerm`, inner);
    }
  }
  return warnings;
}
