export interface Pod {
  metadata: {
    name: string;
    namespace?: string;
    uid?: string;
    resourceVersion?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec: { nodeName?: string };
}

/** A new pod for a key, such as `pod("a/web", { nodeName: "n1" })`. */
export function pod(
  key: string,
  { nodeName, ...metadata }: Partial<Pod["metadata"] & Pod["spec"]> = {},
): Pod {
  const [name = "", namespace] = key.split("/").toReversed();
  return {
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...metadata },
    spec: nodeName === undefined ? {} : { nodeName },
  };
}

export function keysOf(pods: readonly Cached<Pod>[]): string[] {
  return pods
    .map(({ metadata: { namespace, name } }) =>
      namespace === undefined ? name : `${namespace}/${name}`,
    )
    .toSorted();
}
import type { Cached } from "@listwatch/core-fifo";
