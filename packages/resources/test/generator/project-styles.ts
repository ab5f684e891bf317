/**
 * CustomResourceDefinitions in the styles of well-known projects, written for this test and reduced
 * to the constructs that decide which samples are typed: the place of `spec` and of defaults.
 */

type Properties = Readonly<Record<string, object>>;

const text = { type: "string" };
const texts = { type: "array", items: text };
const labels = { type: "object", additionalProperties: text };
const anyJson = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const port = {
  anyOf: [{ type: "integer" }, { type: "string" }],
  "x-kubernetes-int-or-string": true,
};

function objectOf(properties: Properties, required: readonly string[] = []): object {
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

function mapList(keys: readonly string[], items: object): object {
  const type = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys };
  return { type: "array", items, ...type };
}

function definition(
  names: { readonly group: string; readonly kind: string; readonly plural: string },
  schema: object,
  scope: "Namespaced" | "Cluster" = "Namespaced",
) {
  const { group, kind, plural } = names;
  const version = { name: "v1", served: true, storage: true, subresources: { status: {} } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { kind, plural },
      versions: [{ ...version, schema: { openAPIV3Schema: schema } }],
    },
  };
}

const conditions = mapList(
  ["type"],
  objectOf({ type: text, status: { type: "string", enum: ["True", "False", "Unknown"] } }, [
    "type",
    "status",
  ]),
);

/** Neither of them is required, and samples have the one or the other. */
const networkRules = objectOf({
  spec: objectOf({ endpointSelector: labels }),
  specs: { type: "array", items: objectOf({ endpointSelector: labels }) },
});

/** A controller's tool writes the pod template, whose ports have two keys. */
const rollout = objectOf(
  {
    spec: objectOf(
      {
        replicas: { type: "integer", default: 1 },
        template: objectOf({
          spec: objectOf(
            {
              containers: mapList(
                ["name"],
                objectOf(
                  {
                    name: text,
                    image: text,
                    ports: mapList(
                      ["containerPort", "protocol"],
                      objectOf(
                        {
                          containerPort: { type: "integer" },
                          protocol: { type: "string", default: "TCP" },
                        },
                        ["containerPort"],
                      ),
                    ),
                  },
                  ["name"],
                ),
              ),
            },
            ["containers"],
          ),
        }),
      },
      ["template"],
    ),
    status: objectOf({ conditions }),
  },
  ["spec"],
);

const route = objectOf(
  {
    spec: objectOf({
      parentRefs: {
        type: "array",
        items: objectOf(
          {
            group: { type: "string", default: "gateway.example.com" },
            kind: { type: "string", default: "Gateway" },
            name: text,
            namespace: text,
          },
          ["name"],
        ),
      },
      rules: {
        type: "array",
        default: [{ matches: [{ path: "/" }] }],
        items: objectOf({
          matches: { type: "array", items: objectOf({ path: text }) },
          backendRefs: {
            type: "array",
            items: objectOf({ name: text, port, weight: { type: "integer", default: 1 } }, [
              "name",
            ]),
          },
        }),
      },
    }),
    status: objectOf({ parents: { type: "array", items: objectOf({ conditions }) } }),
  },
  ["spec"],
);

const certificate = objectOf({
  spec: objectOf(
    {
      secretName: text,
      dnsNames: texts,
      issuerRef: objectOf({ name: text, kind: text, group: text }, ["name"]),
      privateKey: objectOf({ size: { type: "integer" } }),
    },
    ["issuerRef", "secretName"],
  ),
  status: objectOf({ conditions }),
});

/** The default is an empty object, whose members have defaults. */
const operatorGroup = objectOf({
  spec: {
    ...objectOf({
      targetNamespaces: texts,
      upgradeStrategy: { type: "string", enum: ["Default", "Unsafe"], default: "Default" },
    }),
    default: {},
  },
});

/** The default contains a member that is required of others. */
const cache = objectOf({
  spec: { ...objectOf({ size: { type: "integer" } }, ["size"]), default: { size: 1 } },
});

/** Content beside a spec, which no sample has. */
const template = objectOf({ parameters: labels, objects: { type: "array", items: anyJson } });

export const projectStyles = [
  definition(
    { group: "network.example.com", kind: "NetworkRule", plural: "networkrules" },
    networkRules,
  ),
  definition({ group: "rollouts.example.com", kind: "Rollout", plural: "rollouts" }, rollout),
  definition({ group: "gateway.example.com", kind: "Route", plural: "routes" }, route),
  definition(
    { group: "certificates.example.com", kind: "Certificate", plural: "certificates" },
    certificate,
  ),
  definition(
    { group: "balancer.example.com", kind: "Advertisement", plural: "advertisements" },
    objectOf({ spec: objectOf({ pools: texts, interfaces: texts }) }),
  ),
  definition(
    { group: "operators.example.com", kind: "OperatorGroup", plural: "operatorgroups" },
    operatorGroup,
    "Cluster",
  ),
  definition({ group: "caches.example.com", kind: "Cache", plural: "caches" }, cache),
  definition({ group: "templates.example.com", kind: "Template", plural: "templates" }, template),
  definition(
    { group: "pipelines.example.com", kind: "Task", plural: "tasks" },
    objectOf({ spec: anyJson }),
  ),
];
