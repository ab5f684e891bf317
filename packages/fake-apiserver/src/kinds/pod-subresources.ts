import { isJsonEqual, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { forbidden as forbiddenRequest, type FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { Subresource } from "../api/resource-definition.ts";
import { objects, text } from "../base/read-fields.ts";
import { checkPod } from "../rules/pods/pod-rules.ts";
import { forbidden, invalid, withDiff } from "../validation/field-errors.ts";
import { builtinColumn } from "./columns.ts";
import { type KindHost, type Kind, defineKind } from "./define-kind.ts";
import { qosClassOf } from "./defaults/pod.ts";
import type { SubresourceUpdate } from "./strategy.ts";

const connected = ["create", "get"];
const changed = ["get", "patch", "update"];
/** Lists of containers that a resize can change. */
const resizedLists = ["containers", "initContainers"];

/** Subresources of a pod except its status. */
export const podSubresources: readonly Subresource[] = [
  { name: "attach", kind: "PodAttachOptions", verbs: connected },
  { name: "binding", kind: "Binding", verbs: ["create"] },
  { name: "ephemeralcontainers", verbs: changed },
  { name: "eviction", group: "policy", version: "v1", kind: "Eviction", verbs: ["create"] },
  { name: "exec", kind: "PodExecOptions", verbs: connected },
  { name: "log", verbs: ["get"] },
  { name: "portforward", kind: "PodPortForwardOptions", verbs: connected },
  {
    name: "proxy",
    kind: "PodProxyOptions",
    verbs: ["create", "delete", "get", "patch", "update"],
  },
  { name: "resize", verbs: changed },
];

/** Updates of a pod that change one part of its spec, whatever else is sent. */
export function podUpdates({
  objectsOf,
  validation,
}: Pick<KindHost, "objectsOf" | "validation">): Readonly<Record<string, SubresourceUpdate>> {
  const checkWhole = validation === "full" ? checkPod : (): readonly FieldError[] => [];
  return {
    ephemeralcontainers: {
      take: takeEphemeralContainers,
      validate: (object, stored) => [
        ...checkWhole(object),
        ...keepsEphemeralContainers(object, stored),
      ],
    },
    resize: {
      take: takeResources,
      validate: (object, stored) => {
        const moved = resizedLists.flatMap((list) => checkOrder(list, object, stored));
        if (moved.length > 0) return moved;
        return [...checkWhole(object), ...checkResize(object, stored)];
      },
      refuse: ({ metadata, spec }) => {
        const node = text(spec, "nodeName");
        const nodes = objectsOf({ group: "", plural: "nodes" });
        const isKnown = nodes.some(({ metadata: { name } }) => name === node);
        if (node === "" || isKnown) return undefined;
        const names = { group: "", plural: "pods", kind: "Pod" };
        return forbiddenRequest(names, metadata.name ?? "", `node "${node}" not found`);
      },
    },
  };
}

function takeEphemeralContainers(sent: ApiObject, stored: ApiObject): ApiObject {
  const { ephemeralContainers: _stored, ...spec } = recordOf(stored["spec"]);
  const { ephemeralContainers } = recordOf(sent["spec"]);
  const taken = ephemeralContainers === undefined ? spec : { ...spec, ephemeralContainers };
  return { ...withTypeOf(sent, stored), spec: taken };
}

// k8s.io/kubernetes pkg/apis/core/validation: `ValidatePodEphemeralContainersUpdate`.
function keepsEphemeralContainers(object: ApiObject, stored: ApiObject): readonly FieldError[] {
  const field = "spec.ephemeralContainers";
  const present = objects(object, "spec", "ephemeralContainers");
  const errors: FieldError[] = [];
  for (const container of objects(stored, "spec", "ephemeralContainers")) {
    const name = text(container, "name");
    const found = present.find((one) => text(one, "name") === name);
    if (found === undefined) {
      const detail = `existing ephemeral containers ${JSON.stringify(name)} may not be removed\n`;
      errors.push(forbidden(field, detail));
    } else if (!isJsonEqual(found, container)) {
      const detail = `existing ephemeral containers ${JSON.stringify(name)} may not be changed\n`;
      errors.push(withDiff(forbidden(field, detail), "EphemeralContainer", container, found));
    }
  }
  return errors;
}

function takeResources(sent: ApiObject, stored: ApiObject): ApiObject {
  const spec = recordOf(stored["spec"]);
  const { resources } = recordOf(sent["spec"]);
  const lists = resizedLists.filter((list) =>
    [sent, stored].some((object) => objects(object, "spec", list).length > 0),
  );
  const resized: JsonObject = {
    ...spec,
    ...Object.fromEntries(lists.map((list) => [list, takeList(list, sent, stored)])),
    ...(resources === undefined ? {} : { resources }),
  };
  return { ...withTypeOf(sent, stored), spec: resized };
}

// Other containers than the stored ones are taken as they are, for the check to refuse them.
function takeList(list: string, sent: ApiObject, stored: ApiObject): readonly JsonObject[] {
  const wanted = objects(sent, "spec", list);
  if (checkOrder(list, sent, stored).length > 0) return wanted;
  return objects(stored, "spec", list).map((container, index) =>
    withResources(container, wanted[index]),
  );
}

function withResources(container: JsonObject, wanted: JsonObject | undefined): JsonObject {
  return { ...container, resources: wanted?.["resources"] ?? {} };
}

function checkOrder(list: string, sent: ApiObject, stored: ApiObject): readonly FieldError[] {
  const containers = objects(stored, "spec", list);
  const wanted = objects(sent, "spec", list);
  if (wanted.length !== containers.length) {
    return [forbidden(`spec.${list}`, `${list} may not be added or removed on resize`)];
  }
  return wanted.flatMap((container, index) => {
    if (text(container, "name") === text(containers[index], "name")) return [];
    const problem = `${list} may not be renamed or reordered on resize`;
    return [forbidden(`spec.${list}[${index}].name`, problem)];
  });
}

// k8s.io/kubernetes pkg/apis/core/validation: `ValidatePodResize`.
function checkResize(object: ApiObject, stored: ApiObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  let isFixed = true;
  for (const list of resizedLists) {
    const resized = objects(object, "spec", list);
    for (const [index, container] of objects(stored, "spec", list).entries()) {
      const field = `spec.${list}[${index}].resources`;
      const resources = resized[index]?.["resources"];
      errors.push(...checkKept(field, container["resources"], resources));
      isFixed &&= isJsonEqual(fixedResources(container["resources"]), fixedResources(resources));
    }
  }
  if (!isFixed) errors.push(forbidden("spec", "only cpu and memory resources are mutable"));
  const qosClass = qosClassOf(recordOf(object["spec"]));
  if (qosClass !== qosClassOf(recordOf(stored["spec"]))) {
    errors.push(invalid("spec", qosClass, "Pod QOS Class may not change as a result of resizing"));
  }
  return errors;
}

// Resources of a container that a resize cannot change.
function fixedResources(resources: unknown): JsonObject {
  const { limits, requests, ...others } = recordOf(resources);
  const fixed = [limits, requests].map((list) => {
    const { cpu: _cpu, memory: _memory, ...rest } = recordOf(list);
    return rest;
  });
  return { ...others, fixed };
}

function checkKept(field: string, before: unknown, after: unknown): readonly FieldError[] {
  return ["requests", "limits"]
    .filter((kind) => {
      const kept = recordOf(recordOf(after)[kind]);
      return Object.keys(recordOf(recordOf(before)[kind])).some((name) => !(name in kept));
    })
    .map((kind) => forbidden(`${field}.${kind}`, `resource ${kind} cannot be removed`));
}

// The metadata are those of the stored object, too.
function withTypeOf({ apiVersion, kind }: ApiObject, stored: ApiObject): ApiObject {
  return { ...stored, apiVersion, kind };
}

/** Binding of the core group: a create assigns a pod to a node, and nothing is stored. */
export const bindingKind: Kind = defineKind({
  version: "v1",
  kind: "Binding",
  verbs: ["create"],
});

/**
 * ComponentStatus of the core group, which is deprecated: the server looks after the other programs
 * of a cluster. There are none here.
 */
export const componentStatusKind: Kind = defineKind({
  version: "v1",
  kind: "ComponentStatus",
  plural: "componentstatuses",
  cluster: true,
  shortNames: ["cs"],
  deprecation: "v1 ComponentStatus is deprecated in v1.19+",
  verbs: ["get", "list"],
  columns: [
    builtinColumn("Status", (component) => {
      const health = healthOf(component);
      if (health === undefined) return "Unknown";
      return text(health, "status") === "True" ? "Healthy" : "Unhealthy";
    }),
    builtinColumn("Message", (component) => text(healthOf(component), "message")),
    builtinColumn("Error", (component) => text(healthOf(component), "error")),
  ],
});

function healthOf(component: ApiObject): JsonObject | undefined {
  return objects(component, "conditions").find(({ type }) => type === "Healthy");
}
