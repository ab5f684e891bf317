import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { count, text } from "../base/read-fields.ts";
import { invalid, required } from "../validation/field-errors.ts";
import { checkDnsSubdomain } from "../validation/names.ts";

const form = "; desired format: https://host[/path]";
const maxPort = 65_535;

/**
 * Checks the `clientConfig` of a webhook: k8s.io/apiserver pkg/util/webhook/validation.go.
 *
 * @param field path of the `clientConfig` in messages
 */
export function checkWebhookClient(field: string, client: JsonObject): readonly FieldError[] {
  const { service, url } = client;
  const hasUrl = typeof url === "string";
  if (hasUrl === isRecord(service)) {
    return [required(field, "exactly one of url or service is required")];
  }
  return isRecord(service)
    ? checkService(`${field}.service`, service)
    : checkUrl(`${field}.url`, text(client, "url"));
}

function checkUrl(field: string, address: string): readonly FieldError[] {
  const [, scheme = ""] = /^([A-Za-z][\w+.-]*):/.exec(address) ?? [];
  const errors: FieldError[] = [];
  if (scheme !== "https") {
    const problem = `'https' is the only allowed URL scheme${form}`;
    errors.push(invalid(field, scheme, problem));
  }
  const [, authority = "", rest = ""] = /^[^:]*:\/\/([^/?#]*)(.*)$/.exec(address) ?? [];
  const [user, host = user] = authority.split("@");
  if ((host ?? "") === "") errors.push(invalid(field, "", `host must be specified${form}`));
  if (authority.includes("@")) {
    errors.push(invalid(field, user, "user information is not permitted in the URL"));
  }
  const [, query = "", fragment = ""] = /^[^?#]*(?:\?([^#]*))?(?:#(.*))?$/.exec(rest) ?? [];
  if (fragment !== "") {
    errors.push(invalid(field, fragment, "fragments are not permitted in the URL"));
  }
  if (query !== "") {
    errors.push(invalid(field, query, "query parameters are not permitted in the URL"));
  }
  return errors;
}

function checkService(field: string, service: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  // The server passes the name as the namespace, and the other way round.
  if (text(service, "namespace") === "") errors.push(required(`${field}.name`));
  if (text(service, "name") === "") errors.push(required(`${field}.namespace`));
  const port = count(service, "port");
  if (port < 1 || port > maxPort) {
    const problem = `port is not valid: must be between 1 and ${maxPort}, inclusive`;
    errors.push(invalid(`${field}.port`, port, problem));
  }
  return [...errors, ...checkPath(`${field}.path`, text(service, "path"))];
}

function checkPath(field: string, path: string): readonly FieldError[] {
  if (path === "" || path === "/") return [];
  if (path === "//") return [invalid(field, path, "segment[0] may not be empty")];
  const errors: FieldError[] = [];
  if (!path.startsWith("/")) errors.push(invalid(field, path, "must start with a '/'"));
  const segments = path.slice(1).replace(/\/$/, "").split("/");
  for (const [index, segment] of segments.entries()) {
    const problems = segment === "" ? [" may not be empty"] : checkSegment(segment);
    errors.push(...problems.map((problem) => invalid(field, path, `segment[${index}]${problem}`)));
  }
  return errors;
}

function checkSegment(segment: string): readonly string[] {
  return checkDnsSubdomain(segment).map((problem) => `: ${problem}`);
}
