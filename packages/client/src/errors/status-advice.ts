import { htmlAdvice } from "./decode-errors.ts";
import { isStorageStarting, type Status } from "./status.ts";

/**
 * Identifier of the cause of a Status: its code and reason, and for a refused user the missing
 * right. No key or number of the message is in it.
 */
export function failureKindOf({ code = 0, message, reason = "" }: Status): string {
  if (isHtml(message)) return `HTML with the code ${code}`;
  const right = readRight(message);
  return `code ${code} ${reason}${right === undefined ? "" : ` ${right.verb} ${right.resource}`}`;
}

/**
 * Next step for an operator; `undefined` if none is known.
 *
 * @param path path of the request
 */
export function adviceFor(status: Status, path: string | undefined): string | undefined {
  const { code = 0, message } = status;
  if (isHtml(message)) return htmlAdvice;
  switch (code) {
    case 401:
      return "Check the credentials: they are missing, wrong or expired";
    case 403:
      return adviceForForbidden(status);
    case 404:
      return adviceForNotFound(status, path);
    case 410:
      return "The server no longer has the state that is asked for: list again";
    case 429:
      return isStorageStarting(status)
        ? "The server prepares the storage of the resource; that passes"
        : "The server is overloaded or limits this client: make fewer requests";
    case 503:
    case 504:
      return "The server is overloaded, starting or cut off from its storage: check its state";
    default:
      return code >= 500 ? "Check the logs of the server: it failed itself" : undefined;
  }
}

/** Whether the body that a message quotes is HTML. */
function isHtml(message: string | undefined): boolean {
  return /with "\s*<(!doctype|html)/i.test(message ?? "");
}

/** Verb and resource that a user is refused. */
interface Right {
  readonly verb: string;
  readonly resource: string;
  readonly group: string;
}

/**
 * Reads the message of apiserver's authorizer (`ForbiddenStatusError`,
 * endpoints/handlers/responsewriters).
 */
function readRight(message: string | undefined): Right | undefined {
  const right = /cannot (\w+) resource "([^"]+)"(?: in API group "([^"]*)")?/.exec(message ?? "");
  if (right === null) return undefined;
  const [, verb = "", resource = "", group = ""] = right;
  return { verb, resource, group };
}

function adviceForForbidden({ details, message }: Status): string {
  // The user of requests without credentials, in apiserver's `user.Anonymous`.
  if (message?.includes('"system:anonymous"') === true) {
    return "No credentials were sent, or none accepted: check those of the connection";
  }
  const right = readRight(message);
  const { group, resource, verb } = right ?? { group: "", resource: details?.kind ?? "", verb: "" };
  if (resource === "") return "Grant the missing right with a Role or ClusterRole";
  const verbs = verb === "" ? "" : `${nameVerb(verb)} on `;
  const inGroup = group === "" ? "" : ` of the API group ${group}`;
  return `Grant ${verbs}the resource ${resource}${inGroup} with a Role or ClusterRole`;
}

/** Names both verbs of informers, because a client that lists to follow a collection needs both. */
function nameVerb(verb: string): string {
  return verb === "list" || verb === "watch" ? "the verbs list and watch" : `the verb ${verb}`;
}

function adviceForNotFound({ details }: Status, path: string | undefined): string {
  if (path?.endsWith("/status") === true) {
    return "Check the name, and that the definition has the subresource status";
  }
  return (details?.name ?? "") === ""
    ? "Check group, version and plural of the resource, and that its CustomResourceDefinition is installed"
    : "Check name and namespace: there is no such object";
}
