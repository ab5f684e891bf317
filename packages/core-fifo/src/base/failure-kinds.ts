import { isRecord, numberOf, recordOf, stringOf } from "./json.ts";

/** What a failure is of, whatever its text says at the moment. */
export interface FailureKind {
  /** Equal for failures of one cause: no key, address, number or time in it. */
  readonly kind: string;
  /** What an operator or a programmer can do; `undefined` if the error does not tell. */
  readonly advice: string | undefined;
}

/**
 * Which kind of failure an error is, and what helps against it. Looks at the stable codes and at
 * the data of errors, which may be those of another copy of a package; never throws.
 */
export function kindOfFailure(error: unknown): FailureKind {
  try {
    if (!(error instanceof Error)) return { kind: `a thrown ${typeof error}`, advice: undefined };
    const code = "code" in error && typeof error.code === "string" ? error.code : "";
    switch (code) {
      case "LW_STATUS":
        return kindOfStatus(error);
      case "LW_NETWORK":
        return kindOfNetworkFailure(error);
      case "LW_DECODE":
        return kindOfDecodeFailure(error);
      default:
        return { kind: code === "" ? error.name : code, advice: adviceByCode.get(code) };
    }
  } catch {
    // A getter of the error, or of a proxy of one.
    return { kind: "an error that cannot be read", advice: undefined };
  }
}

const htmlAdvice =
  "An HTML page came in place of JSON: the address leads to a website, a login page or a proxy. " +
  "Check the address of the server and what is between";

const adviceByCode: ReadonlyMap<string, string> = new Map([
  ["LW_CREDENTIALS", "Check the command, file or function that the credentials come from"],
  [
    "LW_INDEX_FUNCTION",
    "Let the index function return no values for what it cannot index; the object is found by " +
      "key, and is missing in this index",
  ],
  ["LW_KEY", "Check the key function, and that each object has metadata with a name"],
  ["LW_NO_METADATA", "Check that each object has metadata with a name"],
  ["LW_NOT_A_LIST", "Check the address of the server and the resource: the answer is no list"],
  ["LW_NOT_A_WATCH", "Let `watch` of the lister-watcher return an async iterable of events"],
  ["LW_TRANSFORM", "Let the transform accept every object; those it throws for are left out"],
  ["LW_UNEXPECTED_OBJECT", "Check the resource, and proxies that change answers"],
  ["LW_UNSUPPORTED_TABLE", "Check that no header asks for a Table"],
  [
    "LW_SILENT_WATCHES",
    "The server, or a proxy in front, closes watches early: check its time limits and logs",
  ],
  [
    "LW_STREAMED_LIST_CUT",
    "The server, or a proxy in front, closes watches early: check its time limits and logs",
  ],
  [
    "LW_OTHER_HISTORY",
    "The server was restored or replaced; everything is listed again. Check that this was intended",
  ],
  ["LW_ENDLESS_LIST", "Check the server, and proxies that change answers: its pages never end"],
  [
    "LW_VERY_SHORT_WATCH",
    "The server, or a proxy in front, closes watches at once: check its time limits and logs",
  ],
]);

function kindOfStatus(error: Error): FailureKind {
  const status = recordOf("status" in error ? error.status : undefined);
  const code = numberOf(status["code"]);
  const message = stringOf(status["message"]);
  if (/with "\s*<(!doctype|html)/i.test(message)) {
    return { kind: `HTML with the code ${code}`, advice: htmlAdvice };
  }
  const reason = stringOf(status["reason"]);
  const right = /cannot (\w+) resource "([^"]+)"(?: in API group "([^"]*)")?/.exec(message);
  const what = right === null ? "" : ` ${right[1]} ${right[2]}`;
  const path = "path" in error ? String(error.path) : "";
  const advice = adviceOfStatus(code, status, right, path);
  return { kind: `code ${code} ${reason}${what}`, advice };
}

function adviceOfStatus(
  code: number,
  status: Readonly<Record<string, unknown>>,
  right: RegExpExecArray | null,
  path: string,
): string | undefined {
  switch (code) {
    case 401:
      return "Check the credentials: they are missing, wrong or expired";
    case 403:
      // The user of requests without credentials, in apiserver's `user.Anonymous`.
      return stringOf(status["message"]).includes('"system:anonymous"')
        ? "No credentials were sent, or none accepted: check those of the connection"
        : adviceOfForbidden(status, right);
    case 404:
      return adviceOfNotFound(status, path);
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

/** Whether a Status says that the watch cache of a resource is not ready, such as a new one's. */
export function isStorageStarting({ message }: { readonly message?: unknown }): boolean {
  return stringOf(message).startsWith("storage is (re)initializing");
}

function adviceOfForbidden(
  status: Readonly<Record<string, unknown>>,
  right: RegExpExecArray | null,
): string {
  const resource = right?.[2] ?? stringOf(recordOf(status["details"])["kind"]);
  if (resource === "") return "Grant the missing right with a Role or ClusterRole";
  const verb = right?.[1] === undefined ? "" : `${nameVerb(right[1])} on `;
  const group = right?.[3] ?? "";
  const inGroup = group === "" ? "" : ` of the API group ${group}`;
  return `Grant ${verb}the resource ${resource}${inGroup} with a Role or ClusterRole`;
}

/** What lists a collection to follow it needs the other right next. */
function nameVerb(verb: string): string {
  return verb === "list" || verb === "watch" ? "the verbs list and watch" : `the verb ${verb}`;
}

function adviceOfNotFound(status: Readonly<Record<string, unknown>>, path: string): string {
  if (path.endsWith("/status")) {
    return "Check the name, and that the definition has the subresource status";
  }
  const name = stringOf(recordOf(status["details"])["name"]);
  return name === ""
    ? "Check group, version and plural of the resource, and that its CustomResourceDefinition is installed"
    : "Check name and namespace: there is no such object";
}

function kindOfNetworkFailure(error: Error): FailureKind {
  const kind = "kind" in error ? String(error.kind) : "unknown";
  const words = wordsOf(error);
  if (/ENOTFOUND|EAI_AGAIN|dns error/i.test(words)) {
    return { kind: "network: name", advice: "Check the host name of the server, and DNS" };
  }
  return { kind: `network: ${kind}`, advice: adviceOfNetworkFailure(kind) };
}

function adviceOfNetworkFailure(kind: string): string {
  switch (kind) {
    case "untrusted-certificate":
      return "Check the certificate authority that the connection trusts, and the server's address";
    case "connection-refused":
      return "Check the address and port of the server, and that it runs: nothing listens there";
    case "timeout":
      return "Check the network and the proxies between: nothing arrived in time";
    case "connection-reset":
    case "eof":
    case "unexpected-eof":
      return "Check the server and the proxies between: the connection broke";
    default:
      return "Check the address of the server, the network, certificates, in a browser CORS";
  }
}

/** The messages and codes of an error and of what caused it, without addresses. */
function wordsOf(error: Error): string {
  const words: string[] = [];
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 4; depth++) {
    words.push(cause.message, "code" in cause ? String(cause.code) : "");
    ({ cause } = cause);
  }
  // Words in a path or a query say nothing about the network.
  return words.join(" ").replaceAll(/\b[a-z][a-z\d+.-]*:\/\/[^\s"'<>]*/gi, "");
}

function kindOfDecodeFailure(error: Error): FailureKind {
  const start = isRecord(error) ? stringOf(error["start"]) : "";
  if (/^\s*</.test(start)) return { kind: "HTML", advice: htmlAdvice };
  return {
    kind: "LW_DECODE",
    advice: "Check that the address is that of an API server, and proxies that change answers",
  };
}
