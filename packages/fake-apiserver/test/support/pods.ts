import type { Answer, ApiClient } from "./api-client.ts";

/** The pods of the namespace "default". */
export const pods = "/api/v1/namespaces/default/pods";

/** A pod of the containers named; not on a node unless `spec` says so. */
export function podOf(name: string, spec: object = {}, labels?: Record<string, string>): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...(labels && { labels }) },
    spec: { containers: [{ name: "main", image: "example" }], ...spec },
  };
}

/** Creates a pod that runs on a node and is ready. */
export async function runPod(
  client: ApiClient,
  name: string,
  labels?: Record<string, string>,
): Promise<Answer> {
  await client.call("POST", pods, podOf(name, { nodeName: "n1" }, labels));
  const conditions = [{ type: "Ready", status: "True" }];
  return client.call("PATCH", `${pods}/${name}/status`, {
    status: { phase: "Running", conditions },
  });
}
