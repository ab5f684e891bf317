import {
  type AdmissionCase,
  type CaseContext,
  normalise,
  type ObservedStep,
  type Step,
} from "./admission-case.ts";

/** A server that the cases run against. */
export interface CaseServer {
  readonly origin: string;
  readonly caBundle: string;
  readonly send: (request: CaseRequest) => Promise<CaseResponse>;
  /** Returns the calls of webhooks since the last time, and forgets them. */
  readonly takeCalls: () => readonly (readonly [path: string, body: string])[];
  /** Waits until configurations and policies have an effect. */
  readonly settle: () => Promise<void>;
}

/** A request in JSON. */
export interface CaseRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly contentType: string;
}

/** An answer in JSON. */
export interface CaseResponse {
  readonly status: number;
  readonly warnings: string | null;
  readonly body: string;
}

/** Runs all cases, each in a separate namespace, and returns the observed steps by their names. */
export async function runCases(
  cases: readonly AdmissionCase[],
  server: CaseServer,
): Promise<Readonly<Record<string, readonly ObservedStep[]>>> {
  for (const one of cases) {
    const context = contextOf(one, server);
    const { namespace } = context;
    await create(server, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    for (const object of one.objects(context)) await create(server, object, namespace);
  }
  await server.settle();
  const observed: Record<string, readonly ObservedStep[]> = {};
  for (const one of cases) {
    const { namespace } = contextOf(one, server);
    const steps: ObservedStep[] = [];
    for (const step of one.steps) steps.push(await run(step, namespace, server));
    observed[one.name] = steps;
  }
  return observed;
}

function contextOf({ name }: AdmissionCase, { caBundle, origin }: CaseServer): CaseContext {
  return { namespace: `case-${name}`, origin, caBundle };
}

async function run(step: Step, namespace: string, server: CaseServer): Promise<ObservedStep> {
  const { body, contentType, method, path } = step;
  const patch = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  server.takeCalls();
  const answer = await server.send({
    method,
    path: fullPath(path, namespace),
    body: body === undefined ? undefined : JSON.stringify(body),
    contentType: contentType ?? patch,
  });
  return {
    status: answer.status,
    warnings: answer.warnings,
    body: JSON.parse(normalise(answer.body)) as unknown,
    calls: server.takeCalls().map(([at, text]) => [at, normalise(text.trim())]),
  };
}

function fullPath(path: string, namespace: string): string {
  if (path.startsWith("/")) return path;
  const [group = "", rest] = path.includes("@") ? path.split("@") : ["", path];
  const root = group === "" ? "/api/v1" : `/apis/${group}`;
  return `${root}/namespaces/${namespace}/${rest}`;
}

interface Typed {
  readonly apiVersion: string;
  readonly kind: string;
}

const plurals: Readonly<Record<string, string>> = {
  MutatingAdmissionPolicy: "mutatingadmissionpolicies",
  ValidatingAdmissionPolicy: "validatingadmissionpolicies",
};
const namespaced: ReadonlySet<string> = new Set(["ConfigMap", "Deployment", "Role", "RoleBinding"]);

async function create(server: CaseServer, object: object, namespace = ""): Promise<void> {
  const { apiVersion, kind } = object as Typed;
  const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const plural = plurals[kind] ?? `${kind.toLowerCase()}s`;
  const place = namespaced.has(kind) ? `/namespaces/${namespace}` : "";
  const { body, status } = await server.send({
    method: "POST",
    path: `${root}${place}/${plural}`,
    body: JSON.stringify(object),
    contentType: "application/json",
  });
  if (status !== 201) throw new Error(`Cannot create a ${kind}: ${status} ${body}`);
}
