import { badRequest } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { objects, text } from "../../base/read-fields.ts";

/**
 * The container of a pod that a request is about: the one it names, or the only one.
 *
 * @throws {ApiError} 400 for one that the pod does not have, and for none of several
 */
export function containerOf(pod: ApiObject, wanted: string): string {
  const podName = pod.metadata.name ?? "";
  const [first, ...more] = names(pod, "containers");
  if (wanted !== "") {
    const all = ["containers", "initContainers", "ephemeralContainers"].flatMap((list) =>
      names(pod, list),
    );
    if (all.includes(wanted)) return wanted;
    throw badRequest(`container ${wanted} is not valid for pod ${podName}`);
  }
  if (first !== undefined && more.length === 0) return first;
  const required = `a container name must be specified for pod ${podName}`;
  if (first === undefined) throw badRequest(required);
  const initial = names(pod, "initContainers");
  const others =
    initial.length === 0 ? "" : ` or one of the init containers: [${initial.join(" ")}]`;
  throw badRequest(`${required}, choose one of: [${[first, ...more].join(" ")}]${others}`);
}

function names(pod: ApiObject, list: string): readonly string[] {
  return objects(pod, "spec", list).map((container) => text(container, "name"));
}
