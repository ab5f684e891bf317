// k8s.io/kubernetes pkg/api/node/util.go
const deprecatedLabels: ReadonlyMap<string, readonly [release: string, successor: string]> =
  new Map([
    ["beta.kubernetes.io/arch", ["v1.14", "kubernetes.io/arch"]],
    ["beta.kubernetes.io/os", ["v1.14", "kubernetes.io/os"]],
    ["failure-domain.beta.kubernetes.io/region", ["v1.17", "topology.kubernetes.io/region"]],
    ["failure-domain.beta.kubernetes.io/zone", ["v1.17", "topology.kubernetes.io/zone"]],
    ["beta.kubernetes.io/instance-type", ["v1.17", "node.kubernetes.io/instance-type"]],
  ]);

/** Returns the server's warning about a deprecated node label; undefined for any other label. */
export function deprecatedNodeLabel(key: string): string | undefined {
  const found = deprecatedLabels.get(key);
  return found && `deprecated since ${found[0]}; use "${found[1]}" instead`;
}
