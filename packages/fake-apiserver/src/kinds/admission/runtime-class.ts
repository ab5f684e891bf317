import { isJsonEqual, isRecord, recordOf } from "@listwatch/core-fifo/base";
import { forbidden } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { field, objects, text } from "../../base/read-fields.ts";
import type { KindHost } from "../define-kind.ts";

const podNames = { group: "", plural: "pods", kind: "Pod" };
const classNames = { group: "node.k8s.io", plural: "runtimeclasses" };

/**
 * A new pod with what its runtime class adds: the overhead, and where pods of the class can run.
 *
 * @throws {ApiError} 403 for a class that does not exist or that the pod contradicts; only with
 *   validation
 */
export function withRuntime(pod: ApiObject, { objectsOf, validation }: KindHost): ApiObject {
  const spec = recordOf(pod["spec"]);
  const name = text(spec, "runtimeClassName");
  if (name === "") return pod;
  const refuse = (why: string): ApiObject => {
    if (validation === "off") return pod;
    throw forbidden(podNames, pod.metadata.name ?? "", `pod rejected: ${why}`);
  };
  const found = objectsOf(classNames).find(({ metadata }) => metadata.name === name);
  if (found === undefined) return refuse(`RuntimeClass "${name}" not found`);
  const overhead = field(found, "overhead", "podFixed");
  const { overhead: given, nodeSelector } = spec;
  if (isRecord(given) && !isJsonEqual(given, overhead)) {
    return refuse("Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }
  const wanted = recordOf(field(found, "scheduling", "nodeSelector"));
  const own = recordOf(nodeSelector);
  const isContrary = Object.keys(wanted).some(
    (key) => own[key] !== undefined && own[key] !== wanted[key],
  );
  if (isContrary) {
    return refuse("conflict: runtimeClass.scheduling.nodeSelector = pod.spec.nodeSelector");
  }
  const selector = { ...own, ...wanted };
  const tolerated = objects(spec, "tolerations");
  const tolerations = [
    ...tolerated,
    ...objects(found, "scheduling", "tolerations").filter(
      (toleration) => !tolerated.some((one) => isJsonEqual(one, toleration)),
    ),
  ];
  return {
    ...pod,
    spec: {
      ...spec,
      ...(isRecord(overhead) && { overhead }),
      ...(Object.keys(selector).length > 0 && { nodeSelector: selector }),
      ...(tolerations.length > 0 && { tolerations }),
    },
  };
}
