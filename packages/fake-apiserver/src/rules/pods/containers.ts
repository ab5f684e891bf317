import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { objects, size, text } from "../../base/read-fields.ts";
import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  required,
} from "../../validation/field-errors.ts";
import { checkDnsLabel } from "../../validation/names.ts";
import { checkListed, checkText, checkWord } from "../../validation/values.ts";
import { checkEnvironment } from "./environment.ts";
import { checkHandlers } from "./handlers.ts";
import { checkMounts } from "./mounts.ts";
import { checkContainerPorts, checkHostPortConflicts } from "./ports.ts";
import { checkResources } from "./resources.ts";
import { checkRestartPolicy } from "./restart-rules.ts";
import { checkSecurityContext } from "./security.ts";
import type { Volumes } from "./volumes.ts";

/** Data of a pod that its containers refer to. */
export interface Surroundings {
  readonly volumes: Volumes;
  /** Names of the pod's claims for resources. */
  readonly claims: ReadonlySet<string>;
  /** Seconds. */
  readonly gracePeriod: number;
  readonly restartPolicy: string;
  /** The users in the containers are those of the host. */
  readonly hostUsers: boolean;
  /** False in a template, where less is checked. */
  readonly isPod: boolean;
}

/** All containers of a pod. */
export function checkContainers(
  field: string,
  spec: JsonObject,
  around: Surroundings,
): readonly FieldError[] {
  return [
    ...checkRegular(`${field}.containers`, spec, around),
    ...checkInitial(`${field}.initContainers`, spec, around),
    ...checkEphemeral(`${field}.ephemeralContainers`, spec, around),
  ];
}

function checkRegular(
  field: string,
  spec: JsonObject,
  around: Surroundings,
): readonly FieldError[] {
  const containers = objects(spec, "containers");
  if (containers.length === 0) return [required(field)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const at = `${field}[${index}]`;
    const name = text(container, "name");
    const isTaken = names.has(name);
    names.add(name);
    return [
      ...checkContainer(at, container, around),
      ...checkRestartPolicy(at, container),
      ...(isTaken ? [duplicate(`${at}.name`, name)] : []),
      ...checkHandlers(at, container, around.gracePeriod),
    ];
  });
  return [...errors, ...checkHostPortConflicts(field, containers)];
}

const handlerFields = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"];

function checkInitial(
  field: string,
  spec: JsonObject,
  around: Surroundings,
): readonly FieldError[] {
  const names = new Set(objects(spec, "containers").map((container) => text(container, "name")));
  return objects(spec, "initContainers").flatMap((container, index) => {
    const at = `${field}[${index}]`;
    const name = text(container, "name");
    const errors = [...checkContainer(at, container, around), ...checkInitialPolicy(at, container)];
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    else if (name !== "") names.add(name);
    // They run one after the other, so that each has the ports of the host for itself.
    errors.push(...checkHostPortConflicts(field, [container]));
    if (container["restartPolicy"] === "Always") {
      return errors.concat(checkHandlers(at, container, around.gracePeriod));
    }
    const problem = "may not be set for init containers without restartPolicy=Always";
    const refused = handlerFields.filter((member) => isRecord(container[member]));
    return errors.concat(refused.map((member) => forbidden(`${at}.${member}`, problem)));
  });
}

// The rules of an init container are ignored if it has no own policy.
function checkInitialPolicy(at: string, container: JsonObject): readonly FieldError[] {
  if (container["restartPolicy"] !== undefined) return checkRestartPolicy(at, container);
  if (objects(container, "restartPolicyRules").length === 0) return [];
  const detail = "must specify restartPolicy when restart rules are used";
  return [required(`${at}.restartPolicy`, detail)];
}

const notEphemeral = [
  ...["ports", "resources", "resizePolicy", "restartPolicy", "restartPolicyRules"],
  ...["livenessProbe", "readinessProbe", "startupProbe", "lifecycle"],
];
const notEphemeralMounts = ["subPath", "subPathExpr"];

function checkEphemeral(
  field: string,
  spec: JsonObject,
  around: Surroundings,
): readonly FieldError[] {
  const others = [...objects(spec, "containers"), ...objects(spec, "initContainers")];
  const otherNames = new Set(others.map((container) => text(container, "name")));
  const names = new Set(otherNames);
  return objects(spec, "ephemeralContainers").flatMap((container, index) => {
    const at = `${field}[${index}]`;
    const name = text(container, "name");
    const target = text(container, "targetContainerName");
    const errors = [...checkContainer(at, container, around)];
    if (names.has(name)) errors.push(duplicate(`${at}.name`, name));
    names.add(name);
    if (target !== "" && !otherNames.has(target)) {
      errors.push(notFound(`${at}.targetContainerName`, target));
    }
    const { resources, ...members } = container;
    const given = size(resources) > 0 ? container : members;
    const refused = notEphemeral.filter((member) => given[member] !== undefined);
    for (const [mount, value] of objects(container, "volumeMounts").entries()) {
      const paths = notEphemeralMounts.filter((member) => text(value, member) !== "");
      refused.push(...paths.map((member) => `volumeMounts[${mount}].${member}`));
    }
    const problem = "cannot be set for an Ephemeral Container";
    return errors.concat(refused.map((member) => forbidden(`${at}.${member}`, problem)));
  });
}

const messagePolicies = ["File", "FallbackToLogsOnError"];
const pullPolicies = ["Always", "IfNotPresent", "Never"];

// Checks the rules for containers of every kind.
function checkContainer(
  at: string,
  container: JsonObject,
  around: Surroundings,
): readonly FieldError[] {
  const { securityContext } = container;
  const name = text(container, "name");
  const resources = recordOf(container["resources"]);
  return [
    ...(name === "" ? [required(`${at}.name`)] : checkText(`${at}.name`, name, checkDnsLabel)),
    ...checkImage(`${at}.image`, text(container, "image"), around.isPod),
    ...checkListed(
      `${at}.terminationMessagePolicy`,
      container["terminationMessagePolicy"],
      messagePolicies,
    ),
    ...checkContainerPorts(`${at}.ports`, objects(container, "ports")),
    ...checkEnvironment(at, container, around.volumes),
    ...checkMounts(at, container, around.volumes),
    ...checkWord(`${at}.imagePullPolicy`, container["imagePullPolicy"], pullPolicies, "required"),
    ...checkResources(`${at}.resources`, resources, around.claims),
    ...checkResizing(`${at}.resizePolicy`, container, around.restartPolicy),
    ...(isRecord(securityContext)
      ? checkSecurityContext(`${at}.securityContext`, securityContext, around.hostUsers)
      : []),
  ];
}

// Old templates have images of blanks, and may keep them.
function checkImage(field: string, image: string, isPod: boolean): readonly FieldError[] {
  if (image === "") return [required(field)];
  if (!isPod || image.trim() === image) return [];
  return [invalid(field, image, "must not have leading or trailing whitespace")];
}

// The server names the list, not the policy.
function checkResizing(
  field: string,
  container: JsonObject,
  restartPolicy: string,
): readonly FieldError[] {
  const resources = new Set<string>();
  return objects(container, "resizePolicy").flatMap((policy, index) => {
    const resource = text(policy, "resourceName");
    const restart = text(policy, "restartPolicy");
    const errors: FieldError[] = [];
    if (resources.has(resource)) errors.push(duplicate(`${field}[${index}]`, resource));
    resources.add(resource);
    errors.push(
      ...checkWord(field, resource, ["cpu", "memory"], "required"),
      ...checkWord(field, restart, ["NotRequired", "RestartContainer"], "required"),
    );
    if (restartPolicy === "Never" && restart !== "NotRequired") {
      const problem = "must be 'NotRequired' when `restartPolicy` is 'Never'";
      errors.push(invalid(field, restart, problem));
    }
    return errors;
  });
}
