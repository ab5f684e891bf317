import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import {
  badRequest,
  conflict,
  invalid as invalidObject,
  namespaceMismatch,
} from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { apiVersionOf } from "../../api/api-versions.ts";
import { type BoundObject, defaultAudience } from "../../authentication/service-account-token.ts";
import { text, texts } from "../../base/read-fields.ts";
import { timestamp } from "../../base/server-clock.ts";
import { nodeKind } from "../../kinds/node.ts";
import { podKind } from "../../kinds/pod.ts";
import { secretKind } from "../../kinds/secret.ts";
import type { Result } from "../../output/result.ts";
import { invalid } from "../../validation/field-errors.ts";
import { existingObject } from "../get.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { targetOf } from "../server-core.ts";
import { decodeSent } from "./sent-kind.ts";

const requestKind = {
  group: "authentication.k8s.io",
  version: "v1",
  kind: "TokenRequest",
} as const;
// k8s.io/kubernetes pkg/apis/authentication/v1/defaults.go: an hour.
const defaultExpirationSeconds = 3600;
// pkg/apis/authentication/validation: ten minutes, and 2^32 s.
const leastExpirationSeconds = 600;
const mostExpirationSeconds = 2 ** 32;
/** Kinds that a token may be bound to. */
const boundKinds = { Node: nodeKind, Pod: podKind, Secret: secretKind } as const;

/** POST of a service account's token: a new one, which is not stored. */
export async function createToken(request: ResourceRequest): Promise<Result> {
  const { core, definition, info, store } = request;
  const sent = await decodeSent(request, requestKind);
  checkPlace(sent, info.name, info.namespace);
  const account = existingObject(definition, store, info).object.metadata;
  const spec = recordOf(sent["spec"]);
  const asked = texts(spec, "audiences");
  const audiences = asked.length === 0 ? [defaultAudience] : asked;
  const expirationSeconds = expirationOf(spec);
  const reference = spec["boundObjectRef"] ?? null;
  const boundObject = isRecord(reference) ? findBoundObject(request, reference) : undefined;
  const { creationTimestamp, name = "", namespace = "", uid = "" } = account;
  const issued = await core.tokens.issue({
    namespace,
    serviceAccount: { name, uid },
    boundObject,
    audiences,
    expirationSeconds,
  });
  const body = {
    kind: requestKind.kind,
    apiVersion: apiVersionOf(requestKind.group, requestKind.version),
    metadata: { ...sent.metadata, name, namespace, uid, creationTimestamp },
    spec: { audiences, expirationSeconds, boundObjectRef: reference },
    status: { token: issued.token, expirationTimestamp: timestamp(issued.expiresAtMs) },
  };
  return { type: "document", code: 201, body };
}

function checkPlace({ metadata }: ApiObject, name: string, namespace: string): void {
  const { name: sentName = "", namespace: sentNamespace = "" } = metadata;
  const detail = "must match the service account name if specified";
  const errors = [
    ...(sentName === "" || sentName === name ? [] : [invalid("metadata.name", sentName, detail)]),
  ];
  if (errors.length > 0) throw invalidObject(requestKind.group, requestKind.kind, name, errors);
  if (sentNamespace !== "" && sentNamespace !== namespace) {
    throw namespaceMismatch();
  }
}

function expirationOf(spec: JsonObject): number {
  const seconds = spec["expirationSeconds"] ?? defaultExpirationSeconds;
  if (typeof seconds !== "number") throw new TypeError("Expected a decoded TokenRequest");
  const detail =
    seconds < leastExpirationSeconds
      ? "may not specify a duration less than 10 minutes"
      : "may not specify a duration larger than 2^32 seconds";
  if (seconds >= leastExpirationSeconds && seconds <= mostExpirationSeconds) return seconds;
  throw invalidObject(requestKind.group, requestKind.kind, "", [
    invalid("spec.expirationSeconds", seconds, detail),
  ]);
}

// k8s.io/kubernetes pkg/registry/core/serviceaccount/storage/token.go: `Create`.
function findBoundObject({ core, info }: ResourceRequest, reference: JsonObject): BoundObject {
  const apiVersion = text(reference, "apiVersion");
  const slash = apiVersion.indexOf("/");
  const group = apiVersion.slice(0, Math.max(0, slash));
  const kind = text(reference, "kind");
  if (group !== "" || (kind !== "Node" && kind !== "Pod" && kind !== "Secret")) {
    const shown = `${group}/${apiVersion.slice(slash + 1)}, Kind=${kind}`;
    throw badRequest(`cannot bind token to object of type ${shown}`);
  }
  const { definition, store } = targetOf(core, boundKinds[kind].definition);
  const name = text(reference, "name");
  const namespace = definition.namespaced ? info.namespace : "";
  const { object } = existingObject(definition, store, { namespace, name });
  if (kind === "Pod" && text(object, "spec", "serviceAccountName") !== info.name) {
    const account = JSON.stringify(info.name);
    throw badRequest(
      `cannot bind token for serviceaccount ${account} to pod running with different serviceaccount name.`,
    );
  }
  const { uid = "" } = object.metadata;
  const wanted = text(reference, "uid");
  if (wanted !== "" && wanted !== uid) {
    throw conflict(
      { group, plural: kind, kind },
      name,
      `the UID in the bound object reference (${wanted}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  return { kind, name, uid };
}
