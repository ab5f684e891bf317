import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { flag, objects, text } from "../../base/read-fields.ts";
import { forbidden, invalid, notFound, required } from "../../validation/field-errors.ts";
import { checkListed } from "../../validation/values.ts";
import { checkDescendingPath } from "./paths.ts";
import type { Volumes } from "./volumes.ts";

const propagations = ["Bidirectional", "HostToContainer", "None"];

/** Where a container sees volumes: `volumeMounts` and `volumeDevices`. */
export function checkMounts(
  at: string,
  container: JsonObject,
  volumes: Volumes,
): readonly FieldError[] {
  const mounts = objects(container, "volumeMounts");
  const devices = objects(container, "volumeDevices");
  const paths = new Set<string>();
  const [mounted, mapped] = [usesOf(mounts, "mountPath"), usesOf(devices, "devicePath")];
  return [
    ...mounts.flatMap((mount, index) =>
      [
        checkMount(`${at}.volumeMounts[${index}]`, mount, volumes, paths),
        checkApart(`${at}.volumeMounts[${index}]`, mount, mapped, "volumeDevices"),
        checkWays(`${at}.volumeMounts`, mount, container),
      ].flat(),
    ),
    ...checkDevices(`${at}.volumeDevices`, devices, volumes),
    ...devices.flatMap((device, index) =>
      checkApart(`${at}.volumeDevices[${index}]`, device, mounted, "volumeMounts"),
    ),
  ];
}

function checkMount(
  at: string,
  mount: JsonObject,
  volumes: Volumes,
  paths: Set<string>,
): readonly FieldError[] {
  const name = text(mount, "name");
  const path = text(mount, "mountPath");
  const errors: FieldError[] = [];
  if (name === "") errors.push(required(`${at}.name`));
  if (!volumes.has(name)) errors.push(notFound(`${at}.name`, name));
  if (path === "") errors.push(required(`${at}.mountPath`));
  if (paths.has(path)) errors.push(invalid(`${at}.mountPath`, path, "must be unique"));
  paths.add(path);
  const subPath = text(mount, "subPath");
  const expression = text(mount, "subPathExpr");
  if (subPath !== "" && expression !== "") {
    const problem = "subPathExpr and subPath are mutually exclusive";
    errors.push(invalid(`${at}.subPathExpr`, expression, problem));
  }
  return errors;
}

// The server names the list, not the mount, in these errors.
function checkWays(field: string, mount: JsonObject, container: JsonObject): readonly FieldError[] {
  const { mountPropagation, recursiveReadOnly } = mount;
  const errors: FieldError[] = [];
  for (const name of ["subPath", "subPathExpr"]) {
    const path = text(mount, name);
    if (path !== "") errors.push(...checkDescendingPath(`${field}.${name}`, path));
  }
  if (mountPropagation !== undefined) {
    const at = `${field}.mountPropagation`;
    errors.push(...checkListed(at, mountPropagation, propagations));
    const isPrivileged = flag(container, "securityContext", "privileged");
    if (mountPropagation === "Bidirectional" && !isPrivileged) {
      const problem = "Bidirectional mount propagation is available only to privileged containers";
      errors.push(forbidden(at, problem));
    }
  }
  const needsReadOnly = recursiveReadOnly === "Enabled" || recursiveReadOnly === "IfPossible";
  if (needsReadOnly && !flag(mount, "readOnly")) {
    const problem = "may only be specified when readOnly is true";
    errors.push(forbidden(`${field}.recursiveReadOnly`, problem));
  }
  return errors;
}

function checkDevices(
  field: string,
  devices: readonly JsonObject[],
  volumes: Volumes,
): readonly FieldError[] {
  const names = new Set<string>();
  const paths = new Set<string>();
  return devices.flatMap((device, index) => {
    const at = `${field}[${index}]`;
    const name = text(device, "name");
    const path = text(device, "devicePath");
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(`${at}.name`));
    if (names.has(name)) errors.push(invalid(`${at}.name`, name, "must be unique"));
    const volume = volumes.get(name);
    if (volume === undefined) errors.push(notFound(`${at}.name`, name));
    else if (!isRecord(volume["persistentVolumeClaim"]) && !isRecord(volume["ephemeral"])) {
      errors.push(invalid(`${at}.name`, name, blockProblem));
    }
    if (path === "") errors.push(required(`${at}.devicePath`));
    if (paths.has(path)) errors.push(invalid(`${at}.devicePath`, path, "must be unique"));
    if (path.split("/").includes("..")) {
      errors.push(invalid(`${at}.devicePath`, path, "can not contain backsteps ('..')"));
    } else paths.add(path);
    if (name !== "") names.add(name);
    return errors;
  });
}

const blockProblem =
  "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";

/** The volumes that a container uses in one way, and where. */
interface Uses {
  readonly names: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

function usesOf(list: readonly JsonObject[], pathName: string): Uses {
  return {
    names: new Set(list.map((one) => text(one, "name"))),
    paths: new Set(list.map((one) => text(one, pathName))),
  };
}

// A volume is either mounted or a device, and each path is one of the two.
function checkApart(
  at: string,
  one: JsonObject,
  others: Uses,
  list: string,
): readonly FieldError[] {
  const name = text(one, "name");
  const pathName = list === "volumeDevices" ? "mountPath" : "devicePath";
  const path = text(one, pathName);
  const errors: FieldError[] = [];
  if (others.names.has(name)) {
    errors.push(invalid(`${at}.name`, name, `must not already exist in ${list}`));
  }
  if (others.paths.has(path)) {
    errors.push(invalid(`${at}.${pathName}`, path, `must not already exist as a path in ${list}`));
  }
  return errors;
}
