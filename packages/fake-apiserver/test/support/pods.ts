import type { Answer, ApiClient } from "./api-client.ts";

export const pods = "/api/v1/namespaces/default/pods";

/** A pod with named containers; not on a node unless `spec` has one. */
export function podOf(name: string, spec: object = {}, labels?: Record<string, string>): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...(labels && { labels }) },
    spec: { containers: [{ name: "main", image: "example" }], ...spec },
  };
}

/** Creates a ready pod on a node. */
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
