// Kinds with few rules.
import { describe, expect, test } from "vitest";
import { rulesOfKind } from "../support/object-rules.ts";

const metadata = { name: "a", uid: "u" };

describe.each<
  readonly [kind: string, valid: object, cases: readonly (readonly [object, string])[]]
>([
  [
    "Namespace",
    { spec: { finalizers: ["kubernetes", "example.net/a"] } },
    [
      [
        { spec: { finalizers: ["a"] } },
        'spec.finalizers: Invalid value: "a": name is neither a standard finalizer name nor is it fully qualified',
      ],
    ],
  ],
  [
    "CSIDriver",
    { spec: {} },
    [
      [
        { spec: { fsGroupPolicy: "X" } },
        'spec.fsGroupPolicy: Unsupported value: "X": supported values: "File", "None", "ReadWriteOnceWithFSType"',
      ],
      [
        { spec: { tokenRequests: [{ audience: "a", expirationSeconds: 5 }] } },
        "spec.tokenRequests[0].expirationSeconds: Invalid value: 5: may not specify a duration less than 10 minutes",
      ],
      [
        { spec: { volumeLifecycleModes: ["X"] } },
        'spec.volumeLifecycleModes: Unsupported value: "X": supported values: "Persistent", "Ephemeral"',
      ],
    ],
  ],
  [
    "CSINode",
    { spec: { drivers: [{ name: "d.example.com", nodeID: "n" }] } },
    [
      [
        { spec: { drivers: [{ name: "d.example.com" }] } },
        "spec.drivers[0].nodeID: Required value",
      ],
      [
        { spec: { drivers: [{ name: "d", nodeID: "n", topologyKeys: ["k", "k"] }] } },
        'spec.drivers[0]: Duplicate value: "k"',
      ],
    ],
  ],
  [
    "VolumeAttachment",
    { spec: { attacher: "d", nodeName: "n", source: { persistentVolumeName: "v" } } },
    [
      [
        { spec: { attacher: "d", nodeName: "n", source: {} } },
        "spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName",
      ],
    ],
  ],
  [
    "VolumeAttributesClass",
    { driverName: "d.example.com", parameters: { a: "b" } },
    [
      [
        { driverName: "d.example.com" },
        "parameters: Required value: must contain at least one key/value pair",
      ],
    ],
  ],
  [
    "CSIStorageCapacity",
    { storageClassName: "a", capacity: "1Gi" },
    [
      [
        { storageClassName: "a", capacity: "-1" },
        'capacity: Invalid value: "-1": must be greater than or equal to 0',
      ],
    ],
  ],
  [
    "IPAddress",
    { spec: { parentRef: { resource: "services", name: "s" } } },
    [
      [{ spec: {} }, "spec.parentRef: Required value"],
      [{ spec: { parentRef: { resource: "services" } } }, "spec.parentRef.name: Required value"],
    ],
  ],
  [
    "ServiceCIDR",
    { spec: { cidrs: ["10.1.0.0/24"] } },
    [
      [{ spec: { cidrs: [] } }, "spec.cidrs: Required value: at least one CIDR required"],
      [
        { spec: { cidrs: ["10.1.0.0/24", "10.2.0.0/24"] } },
        'spec.cidrs: Invalid value: ["10.1.0.0/24","10.2.0.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
      ],
    ],
  ],
  [
    "FlowSchema",
    {
      spec: {
        priorityLevelConfiguration: { name: "p" },
        rules: [
          {
            subjects: [{ kind: "User", user: { name: "u" } }],
            nonResourceRules: [{ verbs: ["get"], nonResourceURLs: ["/x/*"] }],
          },
        ],
      },
    },
    [
      [
        { spec: {} },
        "spec.priorityLevelConfiguration.name: Required value: must reference a priority level",
      ],
      [
        { spec: { priorityLevelConfiguration: { name: "p" }, matchingPrecedence: 1 } },
        "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
      ],
      [
        {
          spec: {
            priorityLevelConfiguration: { name: "p" },
            rules: [
              {
                subjects: [{ kind: "Group", user: { name: "u" }, group: { name: "g" } }],
                nonResourceRules: [{ verbs: ["*"], nonResourceURLs: ["*"] }],
              },
            ],
          },
        },
        "spec.rules[0].subjects[0].user: Forbidden: user is forbidden when subject kind is not 'User'",
      ],
    ],
  ],
  [
    "PriorityLevelConfiguration",
    { spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } } },
    [
      [{ spec: { type: "Limited" } }, "spec.limited: Required value"],
      [
        { spec: { type: "Limited", limited: { limitResponse: { type: "Reject", queuing: {} } } } },
        "spec.limited.limitResponse.queuing: Forbidden",
      ],
      [
        {
          spec: {
            type: "Limited",
            limited: { limitResponse: { type: "Queue", queuing: { queues: 2, handSize: 3 } } },
          },
        },
        "spec.limited.limitResponse.queuing.handSize: Invalid value: 3: should not be greater than queues (2)",
      ],
    ],
  ],
  [
    "APIService",
    {
      metadata: { name: "v1.x.io" },
      spec: { group: "x.io", version: "v1", groupPriorityMinimum: 1, versionPriority: 1 },
    },
    [
      [
        {
          metadata: { name: "v1.y.io" },
          spec: { group: "x.io", version: "v1", groupPriorityMinimum: 1, versionPriority: 1 },
        },
        'metadata.name: Invalid value: "v1.y.io": must be `spec.version+"."+spec.group`: "v1.x.io"',
      ],
    ],
  ],
  [
    "ValidatingAdmissionPolicyBinding",
    { spec: { policyName: "p", validationActions: ["Deny"] } },
    [
      [
        { spec: { policyName: "p" } },
        "spec.validationActions: Required value: at least one validation action is required",
      ],
      [
        { spec: { policyName: "p", validationActions: ["Deny"], paramRef: { name: "x" } } },
        "spec.paramRef.parameterNotFoundAction: Required value",
      ],
    ],
  ],
  [
    "ValidatingAdmissionPolicy",
    {
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["pods"] },
          ],
        },
        validations: [{ expression: "true" }],
      },
    },
    [
      [
        { spec: { validations: [{ expression: "true" }] } },
        "spec.matchConstraints: Required value",
      ],
    ],
  ],
  [
    "ResourceClaimTemplate",
    { spec: { metadata: { labels: { a: "b" } }, spec: { devices: {} } } },
    [
      [
        { spec: { metadata: { name: "n" }, spec: { devices: {} } } },
        "spec.metadata.name: Forbidden: cannot be set",
      ],
    ],
  ],
])("%s", (kind, valid, cases) => {
  const rules = rulesOfKind(kind);

  test("is valid", () => {
    expect(rules.ofNew({ metadata, ...valid })).toEqual([]);
  });

  test.each(cases)("%j: %s", (fields, error) => {
    expect(rules.ofNew({ metadata, ...fields })).toEqual([error]);
  });
});

test("the specs of an attachment, a driver and an address are immutable", () => {
  const attachment = (nodeName: string) => ({
    metadata,
    spec: { attacher: "d", nodeName, source: { persistentVolumeName: "v" } },
  });
  expect(rulesOfKind("VolumeAttachment").ofChange(attachment("m"), attachment("n"))).toEqual([
    'spec: Invalid value: {"Attacher":"d","Source":{"PersistentVolumeName":"v","InlineVolumeSpec":null},"NodeName":"m"}: field is immutable',
  ]);
  const driver = (attachRequired: boolean) => ({ metadata, spec: { attachRequired } });
  expect(rulesOfKind("CSIDriver").ofChange(driver(true), driver(false))).toEqual([
    "spec.attachedRequired: Invalid value: true: field is immutable",
  ]);
  const address = (name: string) => ({ metadata, spec: { parentRef: { resource: "r", name } } });
  expect(rulesOfKind("IPAddress").ofChange(address("b"), address("a"))).toEqual([
    'spec.parentRef: Invalid value: {"Group":"","Resource":"r","Namespace":"","Name":"b"}: field is immutable',
  ]);
});
