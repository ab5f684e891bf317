/** A request of a case. Paths are relative to the case's namespace unless they begin with a slash. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  /** @default application/json; for PATCH a merge patch */
  readonly contentType?: string | undefined;
}

/** Writes to a server whose webhooks and policies are registered, in a separate namespace. */
export interface AdmissionCase {
  readonly name: string;
  /** Objects that exist before the first step: configurations, policies, bindings, parameters. */
  readonly objects: (context: CaseContext) => readonly object[];
  readonly steps: readonly Step[];
  /** Whether the case depends on connections, which a `fetch` does not have. @default false */
  readonly needsNetwork?: boolean | undefined;
}

/** Names and addresses of a case. */
export interface CaseContext {
  readonly namespace: string;
  /** Origin of the handler of webhooks. */
  readonly origin: string;
  /** Certificate authority of the handler, as base64. */
  readonly caBundle: string;
}

/** The observed answer of a step, without uids, times, versions and ports. */
export interface ObservedStep {
  readonly status: number;
  readonly warnings: string | null;
  readonly body: unknown;
  /** Paths and bodies of the calls of webhooks, in their order. */
  readonly calls: readonly (readonly [path: string, body: string])[];
}

/** Replaces what differs in each run of a case. */
export function normalise(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "UID")
    .replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"/g, '"TIME"')
    .replaceAll(/"resourceVersion":"\d+"/g, '"resourceVersion":"VERSION"')
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
    .replaceAll(/("(?:name|generateName)":"generated-)[a-z0-9]{5}"/g, '$1NAME"')
    .replaceAll(/generated-[a-z0-9]{5}\b/g, "generated-NAME");
}

const registration = "admissionregistration.k8s.io/v1";

/** Selects the objects in the namespace of a case. */
function inNamespace({ namespace }: CaseContext): object {
  return { matchLabels: { "kubernetes.io/metadata.name": namespace } };
}

/** A configuration with webhooks, of which each has its path as its name. */
export function configuration(
  kind: "Mutating" | "Validating",
  name: string,
  context: CaseContext,
  ...webhooks: readonly (readonly [path: string, changes?: object])[]
): object {
  const { caBundle, namespace, origin } = context;
  return {
    apiVersion: registration,
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: `${namespace}-${name}` },
    webhooks: webhooks.map(([path, changes = {}]) =>
      Object.assign(
        {
          name: `${path.replaceAll("/", "-")}.example.com`,
          clientConfig: { url: `${origin}/${path}`, caBundle },
          rules: [
            { operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] },
          ],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
          namespaceSelector: inNamespace(context),
        },
        changes,
      ),
    ),
  };
}

/** A policy with its binding, for ConfigMaps unless its spec says otherwise. */
export function policy(
  kind: "Mutating" | "Validating",
  name: string,
  context: CaseContext,
  spec: object,
  binding: object = {},
): readonly object[] {
  const own = `${context.namespace}-${name}`;
  const rules = [
    {
      apiGroups: [""],
      apiVersions: ["v1"],
      operations: ["CREATE", "UPDATE"],
      resources: ["configmaps"],
    },
  ];
  return [
    {
      apiVersion: registration,
      kind: `${kind}AdmissionPolicy`,
      metadata: { name: own },
      spec: {
        matchConstraints: { resourceRules: rules, namespaceSelector: inNamespace(context) },
        ...(kind === "Mutating" ? { reinvocationPolicy: "Never" } : {}),
        ...spec,
      },
    },
    {
      apiVersion: registration,
      kind: `${kind}AdmissionPolicyBinding`,
      metadata: { name: own },
      spec: {
        policyName: own,
        ...(kind === "Validating" ? { validationActions: ["Deny"] } : {}),
        ...binding,
      },
    },
  ];
}

/** A step that creates a ConfigMap. */
export function createConfigMap(
  name: string,
  data: Readonly<Record<string, string>> = {},
  query = "",
): Step {
  const path = `configmaps${query}`;
  return { method: "POST", path, body: { metadata: { name }, data } };
}
