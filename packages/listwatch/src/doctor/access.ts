import type { DiscoveredResource } from "@listwatch/client";
import { describeError, recordOf, stringOf } from "@listwatch/core-fifo/base";
import type { Examined, Identity } from "./examined.ts";
import { failed, passed, type Finding } from "./finding.ts";

/** Verbs of an informer and its readers. */
const verbs = ["list", "watch", "get"] as const;

/** Finds the resource. A finding reports that it is missing or cannot be watched. */
export async function judgeResource(
  examined: Examined,
): Promise<{ readonly finding: Finding; readonly resource: DiscoveredResource | undefined }> {
  const { client, config } = examined;
  const name = examined.resource;
  const result = (finding: Finding, resource?: DiscoveredResource) => ({ finding, resource });
  let resource;
  try {
    resource = await client.discovery.forResource(name);
  } catch (error) {
    const remedy = "Discovery is for every user of system:discovery: restore that cluster role";
    return result(failed("resource", describeError(error), remedy));
  }
  if (resource === undefined) {
    const remedy =
      "Look for it with kubectl api-resources; of a custom one, install the definition";
    return result(failed("resource", `${config.server} has no ${name}`, remedy));
  }
  const full = fullName(resource);
  if (!resource.verbs.includes("watch") || !resource.verbs.includes("list")) {
    const message = `${full} has the verbs ${resource.verbs.join(", ")}`;
    return result(failed("resource", message, "It cannot be listed and watched: take another one"));
  }
  const { kind, version } = resource;
  return result(passed("resource", `${full} ${version}, ${kind}`), resource);
}

/** Asks the server whether the program may use an informer (SelfSubjectAccessReview). */
export async function judgeAccess(
  examined: Examined,
  resource: DiscoveredResource,
  identity: Identity | undefined,
): Promise<Finding> {
  const namespace = resource.scope === "Cluster" ? undefined : examined.namespace;
  const where = namespace === undefined ? "" : ` in ${namespace}`;
  const what = `${fullName(resource)}${where}`;
  try {
    const answers = await Promise.all(
      verbs.map((verb) => ask(examined, resource, verb, namespace)),
    );
    const missing = verbs.filter((_, index) => answers[index]?.allowed !== true);
    if (missing.length === 0) return passed("access", `may ${verbs.join(", ")} ${what}`);
    const reason = answers.find(({ allowed, reason: text }) => !allowed && text !== "")?.reason;
    const message = `may not ${missing.join(", ")} ${what}`;
    const why = reason === undefined ? "" : ` (${reason})`;
    return failed("access", `${message}${why}`, grant(resource, namespace, identity));
  } catch (error) {
    const remedy =
      "Every user may ask for their own rights: restore the cluster role system:basic-user";
    return failed("access", describeError(error), remedy);
  }
}

async function ask(
  { client }: Examined,
  { group, resource, version }: DiscoveredResource,
  verb: string,
  namespace: string | undefined,
): Promise<{ readonly allowed: boolean; readonly reason: string }> {
  const attributes = { group, version, resource, verb, namespace };
  const answer = await client.request({
    method: "POST",
    path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: attributes },
    },
  });
  const { allowed, evaluationError, reason } = recordOf(recordOf(answer)["status"]);
  return { allowed: allowed === true, reason: stringOf(reason) || stringOf(evaluationError) };
}

/** Returns the commands that grant the rights. */
function grant(
  resource: DiscoveredResource,
  namespace: string | undefined,
  identity: Identity | undefined,
): string {
  const name = `watch-${resource.resource}`;
  const [role, binding] =
    namespace === undefined
      ? ["clusterrole", "clusterrolebinding"]
      : [`role -n ${namespace}`, `rolebinding -n ${namespace}`];
  const flag = namespace === undefined ? "--clusterrole" : "--role";
  const subject = subjectOf(identity);
  return `Let an administrator run: kubectl create ${role} ${name} --verb=${verbs.join(",")} --resource=${fullName(resource)} && kubectl create ${binding} ${name} ${flag}=${name} ${subject}`;
}

/** Returns the subject as a flag of `kubectl create rolebinding`. */
function subjectOf(identity: Identity | undefined): string {
  if (identity === undefined) return "--user=NAME";
  const [, account] = /^system:serviceaccount:(.+:.+)$/.exec(identity.username) ?? [];
  if (account !== undefined) return `--serviceaccount=${account}`;
  const isPlain = /^[\w@.:/-]+$/.test(identity.username);
  return `--user=${isPlain ? identity.username : `'${identity.username.replaceAll("'", `'\\''`)}'`}`;
}

function fullName({ group, resource }: DiscoveredResource): string {
  return group === "" ? resource : `${resource}.${group}`;
}
