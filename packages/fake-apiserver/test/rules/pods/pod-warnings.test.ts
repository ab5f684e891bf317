import { describe, expect, test } from "vitest";
import { rulesOfKind } from "../../support/object-rules.ts";
import { container, template } from "../../support/valid-specs.ts";

const pods = rulesOfKind("Pod");
const warningsOf = (spec: object, metadata: object = {}) =>
  pods.warnings({
    metadata: { name: "x", ...metadata },
    spec: { containers: [container], ...spec },
  });

describe("warnings of pods", () => {
  test.each([
    [
      { nodeSelector: { "beta.kubernetes.io/os": "linux" } },
      'spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    ],
    [
      {
        hostAliases: [
          { ip: "127.0.0.1", hostnames: ["a"] },
          { ip: "127.0.0.1", hostnames: ["b"] },
        ],
      },
      'spec.hostAliases[1].ip: duplicate ip "127.0.0.1"',
    ],
    [
      { volumes: [{ name: "v", projected: { sources: [{}] } }] },
      'volume "v" (Projected) has no sources provided',
    ],
    [
      {
        serviceAccountName: "s",
        volumes: [
          {
            name: "v",
            projected: {
              sources: [
                { serviceAccountToken: { path: "t", expirationSeconds: 600 } },
                { configMap: { name: "c", items: [{ key: "k", path: "t/u/" }] } },
              ],
            },
          },
        ],
      },
      'volume "v" (Projected): overlapping paths: "t/u" (ConfigMap "c") with "t" (ServiceAccountToken)',
    ],
    [
      {
        volumes: [
          {
            name: "v",
            configMap: {
              name: "c",
              items: [
                { key: "k", path: "p" },
                { key: "l", path: "p" },
              ],
            },
          },
        ],
      },
      'volume "v" (ConfigMap "c"): overlapping paths: "p" with "p"',
    ],
    [{ imagePullSecrets: [{}] }, 'spec.imagePullSecrets[0].name: invalid empty name ""'],
    [
      { volumes: [{ name: "v", gitRepo: { repository: "r" } }] },
      "spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+",
    ],
    [
      {
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "zone" }],
          },
        },
      },
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector: a null labelSelector results in matching no pod",
    ],
  ])("%o", (spec, warning) => {
    expect(warningsOf(spec)).toEqual([warning]);
  });

  test.each([
    [
      {
        env: [
          { name: "A", value: "1" },
          { name: "A", value: "2" },
        ],
      },
      'env[1]: hides previous definition of "A", which may be dropped when using apply',
    ],
    [
      { ports: [{ containerPort: 80 }, { containerPort: 80 }] },
      "ports[1]: duplicate port definition with spec.containers[0].ports[0]",
    ],
    [
      { ports: [{ containerPort: 80 }, { containerPort: 80, hostPort: 80 }] },
      "ports[1]: overlapping port definition with spec.containers[0].ports[0]",
    ],
    [
      { resources: { requests: { memory: "1m" } } },
      'resources.requests[memory]: fractional byte value "1m" is invalid, must be an integer',
    ],
  ])("%o (VAL-8)", (fields, warning) => {
    expect(warningsOf({ containers: [{ ...container, ...fields }] })).toEqual([
      `spec.containers[0].${warning}`,
    ]);
  });

  test("a variable that extends an earlier one hides nothing", () => {
    const env = [
      { name: "A", value: "1" },
      { name: "A", value: "$(A)2" },
    ];
    expect(warningsOf({ containers: [{ ...container, env }] })).toEqual([]);
  });

  test("warn about annotations that have become fields, and names that are not DNS labels", () => {
    const annotations = {
      "seccomp.security.alpha.kubernetes.io/pod": "runtime/default",
      "scheduler.alpha.kubernetes.io/critical-pod": "",
    };
    expect(warningsOf({}, { annotations })).toEqual([
      'metadata.annotations[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead',
      'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
    ]);
    expect(warningsOf({}, { name: "a.b" })).toEqual([
      "metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]",
    ]);
  });

  test("port names should be unique among a template's containers (VAL-8)", () => {
    const ports = [{ containerPort: 80, name: "web" }];
    const containers = [
      { ...container, ports },
      { name: "b", image: "i", ports: [{ containerPort: 81, name: "web" }] },
    ];
    const spec = { template: template({ containers }) };
    expect(rulesOfKind("Deployment").warnings({ spec })).toEqual([
      'spec.template.spec.containers[1].ports[0]: duplicate port name "web" with spec.template.spec.containers[0].ports[0], services and probes that select ports by name will use spec.template.spec.containers[0].ports[0]',
    ]);
  });
});
