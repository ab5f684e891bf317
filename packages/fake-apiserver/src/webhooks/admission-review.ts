import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { goQuote } from "../base/go-text.ts";
import { MalformedBodyError } from "../input/errors.ts";
import { decodeJson, goTypeOf } from "../input/decode.ts";
import type { ReviewedForm, ReviewedWrite, VersionedKind } from "./reviewed-write.ts";

const group = "admission.k8s.io";
const kind = "AdmissionReview";

/** Versions of reviews that the server can send. */
export type ReviewVersion = "v1" | "v1beta1";

/** The first version of reviews that a webhook takes and the server knows. */
export function reviewVersionOf(accepted: readonly string[]): ReviewVersion | undefined {
  return accepted.find((version) => version === "v1" || version === "v1beta1");
}

/** The AdmissionReview of a write, with its members in Go's order. */
export async function admissionReview(
  uid: string,
  version: ReviewVersion,
  write: ReviewedWrite,
  form: ReviewedForm,
): Promise<JsonObject> {
  const request = await reviewedRequest(uid, write, form);
  return { kind, apiVersion: `${group}/${version}`, request };
}

/** The request in the AdmissionReview of a write. */
async function reviewedRequest(
  uid: string,
  write: ReviewedWrite,
  form: ReviewedForm,
): Promise<JsonObject> {
  const { object, oldObject } = write;
  const shown = async (one: ApiObject | undefined): Promise<JsonObject | null> =>
    one === undefined ? null : await form.show(one);
  return {
    uid,
    ...requestAttributes(write, form),
    object: await shown(object),
    oldObject: await shown(oldObject),
    dryRun: write.dryRun,
    options: write.options,
  };
}

/** The part of the request in a review that names the resource and the user. */
export function requestAttributes(
  write: ReviewedWrite,
  { kind: reviewedKind, resource }: ReviewedForm,
): JsonObject {
  const { form, name, namespace, operation, subresource } = write;
  return {
    kind: kindJson(reviewedKind),
    resource: { group: resource.group, version: resource.version, resource: resource.resource },
    ...named("subResource", subresource),
    requestKind: kindJson(form.kind),
    requestResource: { ...form.resource },
    ...named("requestSubResource", subresource),
    ...named("name", name),
    ...named("namespace", namespace),
    operation,
    userInfo: write.user,
  };
}

function kindJson({ group: kindGroup, kind: kindName, version }: VersionedKind): JsonObject {
  return { group: kindGroup, version, kind: kindName };
}

function named(field: string, value: string): JsonObject {
  return value === "" ? {} : { [field]: value };
}

/** The answer of a webhook, checked. */
export interface AdmissionAnswer {
  readonly allowed: boolean;
  /** The Status of a refusal. */
  readonly status: JsonObject | undefined;
  /** Text of a JSON Patch; `""` for none. */
  readonly patch: string;
  readonly patchType: string;
  readonly warnings: readonly string[];
}

/** An answer that is not a review. The message is that of a real server. */
export class UnusableAnswerError extends Error {
  override readonly name: string = "UnusableAnswerError";
  /** Whether the answer could be decoded, but has the wrong content. */
  readonly isDecoded: boolean;

  constructor(message: string, isDecoded: boolean) {
    super(message);
    this.isDecoded = isDecoded;
  }
}

/**
 * Reads the answer to a review.
 *
 * @throws {UnusableAnswerError}
 */
export function readAnswer(
  body: string,
  { isMutating, uid, version }: { isMutating: boolean; uid: string; version: ReviewVersion },
): AdmissionAnswer {
  const review = decodeReview(body, version);
  const { response = null } = review;
  if (response === null) throw wrong("webhook response was absent");
  const answer = readResponse(response);
  if (version === "v1beta1") {
    // Neither the uid nor the patch type was checked then.
    const { patch } = answer;
    const patchType = patch === "" ? "" : "JSONPatch";
    return isMutating ? { ...answer, patchType } : { ...answer, patch: "", patchType: "" };
  }
  if (answer.uid !== uid) {
    throw wrong(`expected response.uid=${goQuote(uid)}, got ${goQuote(answer.uid)}`);
  }
  const given = `${shownVersion(review["apiVersion"])}, Kind=${textIn(review["kind"])}`;
  const expected = `${group}/${version}, Kind=${kind}`;
  if (given !== expected) throw wrong(`expected webhook response of ${expected}, got ${given}`);
  checkPatch(answer, isMutating);
  return { ...answer, patchType: answer.patchType ?? "" };
}

interface Response extends Omit<AdmissionAnswer, "patchType"> {
  readonly uid: string;
  /** Undefined if it is not given, which differs from an empty one. */
  readonly patchType: string | undefined;
}

function checkPatch({ patch, patchType }: Response, isMutating: boolean): void {
  if (!isMutating) {
    if (patch !== "") throw wrong("validating webhook may not return response.patch");
    if (patchType !== undefined) {
      throw wrong("validating webhook may not return response.patchType");
    }
    return;
  }
  if (patch !== "" && patchType === undefined) {
    throw wrong("webhook returned response.patch but not response.patchType");
  }
  if (patch === "" && patchType !== undefined) {
    throw wrong("webhook returned response.patchType but not response.patch");
  }
  if (patchType === "") throw wrong('webhook returned invalid response.patchType of ""');
}

// A missing type is taken from the review that the server expects.
function decodeReview(body: string, version: ReviewVersion): JsonObject {
  const value = decodeAnswer(body);
  const start = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (!isRecord(value)) {
    throw undecodable(
      `${start} ${goTypeOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  for (const member of ["apiVersion", "kind"]) {
    const name = value[member] ?? "";
    if (typeof name === "string") continue;
    throw undecodable(`${start} ${goTypeOf(name)} into Go struct field .${member} of type string`);
  }
  const expected = `${group}/${version}`;
  const givenVersion = textIn(value["apiVersion"]) || expected;
  const givenKind = textIn(value["kind"]) || kind;
  if (givenKind === kind && givenVersion === expected) return value;
  const isKnown = givenKind === kind && givenVersion.startsWith(`${group}/v1`);
  const other = givenVersion.slice(givenVersion.indexOf("/") + 1);
  throw undecodable(
    isKnown && (other === "v1" || other === "v1beta1")
      ? `converting (${other}.${kind}) to (${version}.${kind}): unknown conversion`
      : `no kind ${goQuote(givenKind)} is registered for version ${goQuote(givenVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

/** Decodes the body of an answer. @throws {UnusableAnswerError} */
function decodeAnswer(body: string): unknown {
  try {
    return decodeJson(body).value;
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    // Text that does not begin as JSON is read as YAML, where it is a string.
    if (!body.trimStart().startsWith("{")) return body;
    throw undecodable(`couldn't get version/kind; json parse error: ${error.message}`);
  }
}

function readResponse(response: unknown): Response {
  if (!isRecord(response)) {
    throw cannotUnmarshal(response, "AdmissionReview.response", "v1.AdmissionResponse");
  }
  const { allowed = null, patch = null, patchType = null, status = null, uid, warnings } = response;
  if (allowed !== null && typeof allowed !== "boolean") {
    throw cannotUnmarshal(allowed, "AdmissionResponse.response.allowed", "bool");
  }
  if (patch !== null && typeof patch !== "string") {
    throw cannotUnmarshal(patch, "AdmissionResponse.response.patch", "[]uint8");
  }
  if (status !== null && !isRecord(status)) {
    throw cannotUnmarshal(status, "AdmissionResponse.response.status", "v1.Status");
  }
  return {
    uid: stringIn(uid, "uid", "types.UID"),
    allowed: allowed === true,
    status: status === null ? undefined : { ...status, ...codeOf(status["code"]) },
    patch: decodeBase64(patch ?? ""),
    patchType: patchType === null ? undefined : stringIn(patchType, "patchType", "v1.PatchType"),
    warnings: warningsIn(warnings),
  };
}

/** The code of a refusal; a response here cannot have one of 600 or more. */
function codeOf(code: unknown): { readonly code?: number } {
  if (code === undefined || code === null) return {};
  if (typeof code !== "number" || !Number.isInteger(code)) {
    throw cannotUnmarshal(code, "Status.response.status.code", "int32");
  }
  return { code: code > 599 ? 500 : code };
}

function warningsIn(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    throw cannotUnmarshal(value, "AdmissionResponse.response.warnings", "[]string");
  }
  return value.map((warning: unknown) => stringIn(warning, "warnings", "string"));
}

function stringIn(value: unknown, member: string, type: string): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw cannotUnmarshal(value, `AdmissionResponse.response.${member}`, type);
}

function decodeBase64(text: string): string {
  const wrongAt = /[^A-Za-z0-9+/=\r\n]/.exec(text)?.index;
  if (wrongAt !== undefined) throw undecodable(`illegal base64 data at input byte ${wrongAt}`);
  try {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    throw undecodable(`illegal base64 data at input byte ${text.length}`);
  }
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

// As Go shows a group and version: with the slash between them, whichever is empty.
function shownVersion(apiVersion: unknown): string {
  const given = textIn(apiVersion);
  return given.includes("/") ? given : `/${given}`;
}

function cannotUnmarshal(value: unknown, place: string, type: string): UnusableAnswerError {
  const got = `json: cannot unmarshal ${goTypeOf(value)}`;
  return undecodable(`${got} into Go struct field ${place} of type ${type}`);
}

function undecodable(message: string): UnusableAnswerError {
  return new UnusableAnswerError(message, false);
}

function wrong(message: string): UnusableAnswerError {
  return new UnusableAnswerError(message, true);
}
