import type { FakeApiServer, RecordedRequest } from "@listwatch/fake-apiserver";
import { userHeader, usernameOf } from "./account.ts";
import { addLines, isRecording } from "./rights-file.ts";

/** A right that a program used in a test. */
export interface UsedRight {
  /** Service account of the program, as `NAMESPACE/NAME`. */
  readonly account: string;
  /** Name of the test. */
  readonly test: string;
  /** Verb, such as `list`. */
  readonly verb: string;
  /** API group; `""` is the core group. */
  readonly group: string;
  /** Plural name, with the subresource if there is one: `pods`, `pods/status`. */
  readonly resource: string;
  /** Namespace; `""` for all namespaces and for resources without one. */
  readonly namespace: string;
  /** Name of the object; `""` if the right is not limited to one. */
  readonly name: string;
}

/** Prepares a server for {@link recordRights}. */
export function prepareRecording(server: FakeApiServer, account: string | undefined): void {
  // The recorder drops old requests by default.
  if (account !== undefined && isRecording()) server.control.recorder.limit = Infinity;
}

/** Adds the rights that a program has used to the file of `listwatch rbac`, if there is one. */
export function recordRights(
  server: FakeApiServer,
  account: string | undefined,
  test: string,
): void {
  if (account === undefined || !isRecording()) return;
  const headers = { [userHeader]: usernameOf(account) };
  const rights = server.control.recorder.list({ headers }).flatMap((request) => {
    const { group, namespace, resource, subresource } = request;
    if (resource === "" || isGrantedToAll(request)) return [];
    const what = subresource === "" ? resource : `${resource}/${subresource}`;
    const name = nameIn(request);
    return verbsOf(request).map((verb): UsedRight => ({
      account,
      test,
      verb,
      group,
      resource: what,
      namespace,
      name,
    }));
  });
  addLines(rights.map((right) => JSON.stringify(right)));
}

/** Whether every user has the right: `system:basic-user` of the server's bootstrap policy. */
function isGrantedToAll({ group, resource, verb }: RecordedRequest): boolean {
  return (
    verb === "create" &&
    /^self.*reviews$/.test(resource) &&
    (group === "authorization.k8s.io" || group === "authentication.k8s.io")
  );
}

/** The verbs that a server asks for. An apply or an update that creates also needs `create`. */
function verbsOf({ status, verb }: RecordedRequest): readonly string[] {
  const creates = status === 201 && (verb === "patch" || verb === "update");
  return creates ? [verb, "create"] : [verb];
}

/** A list or watch that a field selector limits to one name is authorized for that name. */
function nameIn({ name, query, verb }: RecordedRequest): string {
  if (name !== "" || (verb !== "list" && verb !== "watch")) return name;
  return /(?:^|,)metadata\.name==?([^,]+)/.exec(query.get("fieldSelector") ?? "")?.[1] ?? "";
}
