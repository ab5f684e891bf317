import { describe, expect, test } from "vitest";
import { containerErrors, podErrors } from "../../support/object-rules.ts";
import { container } from "../../support/valid-specs.ts";

describe("the containers of a pod (VAL-4, VAL-8)", () => {
  test("a container with a name and an image is valid", () => {
    expect(podErrors({})).toEqual([]);
  });

  test("there must be one, even without a spec", () => {
    expect(podErrors({ containers: [] })).toEqual(["spec.containers: Required value"]);
  });

  test.each([
    [{ name: "" }, ["name: Required value"]],
    [{ image: "" }, ["image: Required value"]],
    [{ image: " x" }, ['image: Invalid value: " x": must not have leading or trailing whitespace']],
    [
      { imagePullPolicy: "Maybe" },
      [
        'imagePullPolicy: Unsupported value: "Maybe": supported values: "Always", "IfNotPresent", "Never"',
      ],
    ],
    [
      { terminationMessagePolicy: "X" },
      [
        'terminationMessagePolicy: Unsupported value: "X": supported values: "File", "FallbackToLogsOnError"',
      ],
    ],
  ])("%o", (fields, errors) => {
    expect(containerErrors(fields)).toEqual(errors);
  });

  test("names must be DNS labels", () => {
    const [error] = containerErrors({ name: "A_b" });
    expect(error).toMatch(
      /^name: Invalid value: "A_b": a lowercase RFC 1123 label must consist of/,
    );
  });

  test("names must be unique among containers and init containers", () => {
    expect(podErrors({ containers: [container, container] })).toEqual([
      'spec.containers[1].name: Duplicate value: "app"',
    ]);
    expect(podErrors({ initContainers: [container] })).toEqual([
      'spec.initContainers[0].name: Duplicate value: "app"',
    ]);
  });

  test("init containers have no probes, unless they keep running", () => {
    const probe = { exec: { command: ["a"] } };
    const first = { name: "first", image: "i", livenessProbe: probe };
    expect(podErrors({ initContainers: [first] })).toEqual([
      "spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always",
    ]);
    expect(podErrors({ initContainers: [{ ...first, restartPolicy: "Always" }] })).toEqual([]);
  });

  test("new pods cannot have ephemeral containers", () => {
    expect(podErrors({ ephemeralContainers: [{ name: "debug", image: "i" }] })).toEqual([
      "spec.ephemeralContainers: Forbidden: cannot be set on create",
    ]);
  });
});

describe("the ports of a container (VAL-6, VAL-8)", () => {
  const errorsOf = (...ports: readonly object[]) => containerErrors({ ports });

  test.each([
    [{ containerPort: 0 }, ["ports[0].containerPort: Required value"]],
    [
      { containerPort: 70_000, protocol: "X" },
      [
        "ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive",
        'ports[0].protocol: Unsupported value: "X": supported values: "SCTP", "TCP", "UDP"',
      ],
    ],
    [
      { containerPort: 80, name: "Bad_Name" },
      [
        'ports[0].name: Invalid value: "Bad_Name": must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)',
      ],
    ],
    [
      { containerPort: 80, name: "waytoolongname16x" },
      ['ports[0].name: Invalid value: "waytoolongname16x": must be no more than 15 characters'],
    ],
  ])("%o", (port, errors) => {
    expect(errorsOf(port)).toEqual(errors);
  });

  test("names must be unique in a container, host ports in a pod", () => {
    expect(errorsOf({ containerPort: 1, name: "a" }, { containerPort: 2, name: "a" })).toEqual([
      'ports[1].name: Duplicate value: "a"',
    ]);
    const port = { containerPort: 80, hostPort: 8080 };
    expect(errorsOf(port, { ...port, containerPort: 81 })).toEqual([
      'ports[1].hostPort: Duplicate value: "TCP//8080"',
    ]);
  });

  test("in the host network, both ports must be equal", () => {
    const ports = [{ containerPort: 80, hostPort: 81 }];
    expect(containerErrors({ ports }, { hostNetwork: true })).toEqual([
      "ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true",
    ]);
  });
});

describe("the variables of a container (VAL-4)", () => {
  const fieldRef = { fieldPath: "metadata.name" };

  test.each([
    [{ name: "" }, ["env[0].name: Required value"]],
    [
      { name: "a=b" },
      [
        "env[0].name: Invalid value: \"a=b\": a valid environment variable name must consist only of printable ASCII characters other than '='",
      ],
    ],
    [
      { name: "A", value: "1", valueFrom: { fieldRef } },
      ['env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty'],
    ],
    [
      { name: "A", valueFrom: { fieldRef, secretKeyRef: { name: "s", key: "k" } } },
      ['env[0].valueFrom: Invalid value: "": may not have more than one field specified at a time'],
    ],
    [
      { name: "A", valueFrom: { fieldRef: { fieldPath: "spec.bogus" } } },
      [
        'env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.bogus": error converting fieldPath: field label not supported: spec.bogus',
      ],
    ],
    [
      { name: "A", valueFrom: { resourceFieldRef: { resource: "limits.cpu", divisor: "2" } } },
      [
        'env[0].valueFrom.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor\'s values 1m and 1 are supported with the cpu resource',
      ],
    ],
    [{ name: "A", valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } }, []],
    [
      { name: "A", valueFrom: { configMapKeyRef: { name: "c" } } },
      ["env[0].valueFrom.configMapKeyRef.key: Required value"],
    ],
  ])("%o", (variable, errors) => {
    expect(containerErrors({ env: [variable] })).toEqual(errors);
  });

  test("envFrom requires a config map or a secret", () => {
    expect(containerErrors({ envFrom: [{ configMapRef: { name: "c" } }] })).toEqual([]);
    expect(containerErrors({ envFrom: [{ prefix: "P" }] })).toEqual([
      'envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
    ]);
  });
});

describe("the probes of a container (VAL-6)", () => {
  const exec = { command: ["a"] };

  test.each([
    [{}, ["livenessProbe: Required value: must specify a handler type"]],
    [
      { httpGet: { port: 0 } },
      ["livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive"],
    ],
    [
      { exec, periodSeconds: -1 },
      ["livenessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0"],
    ],
    [
      { exec, tcpSocket: { port: 1 } },
      ["livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type"],
    ],
    [
      { exec, successThreshold: 2 },
      ["livenessProbe.successThreshold: Invalid value: 2: must be 1"],
    ],
  ])("%o", (livenessProbe, errors) => {
    expect(containerErrors({ livenessProbe })).toEqual(errors);
  });

  test("a readiness probe may need two successes; a sleep must not exceed the grace period", () => {
    expect(containerErrors({ readinessProbe: { exec, successThreshold: 2 } })).toEqual([]);
    expect(containerErrors({ lifecycle: { preStop: { sleep: { seconds: 31 } } } })).toEqual([
      "lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)",
    ]);
  });
});

describe("the resources of a container (VAL-7)", () => {
  test.each([
    [
      { requests: { cpu: "2" }, limits: { cpu: "1" } },
      ['resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1'],
    ],
    [
      { requests: { cpu: "-1" } },
      ['resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    [
      { requests: { bogus: "1" } },
      [
        'resources.requests[bogus]: Invalid value: "bogus": must be a standard resource type or fully qualified',
        'resources.requests[bogus]: Invalid value: "bogus": must be a standard resource for containers',
      ],
    ],
    [
      { requests: { "example.com/gpu": "1" } },
      ["resources.limits: Required value: Limit must be set for non overcommitable resources"],
    ],
    [
      { limits: { "example.com/gpu": "500m" } },
      [
        'resources.limits[example.com/gpu]: Invalid value: "500m": must be an integer',
        'resources.requests[example.com/gpu]: Invalid value: "500m": must be an integer',
      ],
    ],
    [
      { limits: { "hugepages-2Mi": "2Mi" } },
      ["resources: Forbidden: HugePages require cpu or memory"],
    ],
    [
      { limits: { cpu: "1", "hugepages-2Mi": "3Mi" } },
      [
        'resources.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
        'resources.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi',
      ],
    ],
    [{ limits: { cpu: "1", "hugepages-2Mi": "4Mi" } }, []],
  ])("%o", (resources, errors) => {
    expect(containerErrors({ resources })).toEqual(errors);
  });
});

describe("the security settings of a container", () => {
  test.each([
    [
      { privileged: true, allowPrivilegeEscalation: false },
      'securityContext: Invalid value: {"Capabilities":null,"Privileged":true,"SELinuxOptions":null,"WindowsOptions":null,"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,"AllowPrivilegeEscalation":false,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}: cannot set `allowPrivilegeEscalation` to false and `privileged` to true',
    ],
    [
      { runAsUser: -1 },
      "securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive",
    ],
    [
      { seccompProfile: { type: "Localhost" } },
      "securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost",
    ],
    [
      { appArmorProfile: { type: "X" } },
      'securityContext.appArmorProfile.type: Unsupported value: "X": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
    ],
  ])("%o", (securityContext, error) => {
    expect(containerErrors({ securityContext })).toEqual([error]);
  });
});

describe("the restart policy of a container", () => {
  test.each([
    [
      { restartPolicy: "X" },
      ['restartPolicy: Unsupported value: "X": supported values: "Always", "Never", "OnFailure"'],
    ],
    [
      { restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [1] } }] },
      ["restartPolicy: Required value: must specify restartPolicy when restart rules are used"],
    ],
    [
      { restartPolicy: "Never", restartPolicyRules: [{ action: "X" }] },
      [
        'restartPolicyRules[0].action: Unsupported value: "X": supported values: "Restart", "RestartAllContainers"',
        "restartPolicyRules[0].exitCodes: Required value: must be specified",
      ],
    ],
  ])("%o", (fields, errors) => {
    expect(containerErrors(fields)).toEqual(errors);
  });
});

test("a variable from a file requires an existing volume", () => {
  const of = (volumeName: string) => ({
    env: [{ name: "A", valueFrom: { fileKeyRef: { volumeName, path: "p", key: "k" } } }],
  });
  const volumes = [
    { name: "v", emptyDir: {} },
    { name: "c", configMap: { name: "c" } },
  ];
  const field = "env[0].valueFrom.fileKeyRef.volumeName";
  expect(containerErrors(of("v"), { volumes })).toEqual([]);
  expect(containerErrors(of("x"), { volumes })).toEqual([`${field}: Not found: "x"`]);
  expect(containerErrors(of("c"), { volumes })).toEqual([
    `${field}: Invalid value: "c": referenced volume must be of type emptyDir`,
  ]);
});
