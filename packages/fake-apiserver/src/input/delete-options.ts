import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { RequestBody } from "./body.ts";
import { badRequest, invalidOptions, type FieldError } from "../api/errors.ts";
import { invalid, notSupported } from "../validation/field-errors.ts";
import { goQuote, textOf } from "../base/go-text.ts";
import { goTypeOf } from "./decode.ts";
import { decodeIfGiven } from "./decode-body.ts";
import { booleanParameter, integerParameter } from "./list-options.ts";
import { checkDryRun } from "./write-options.ts";

/** Treatment of an object's dependents. */
type PropagationPolicy = "Foreground" | "Background" | "Orphan";

/** How an object is to be deleted. */
export interface DeleteOptions {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds: number | undefined;
  /** Undefined: determined by the object's finalizers. */
  readonly propagationPolicy: PropagationPolicy | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

interface RawOptions {
  readonly dryRun: readonly string[];
  readonly gracePeriodSeconds: number | undefined;
  readonly propagationPolicy: string | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

const optionsKind = "DeleteOptions";
const policies = new Map<string, PropagationPolicy>([
  ["Foreground", "Foreground"],
  ["Background", "Background"],
  ["Orphan", "Orphan"],
]);

/**
 * Reads the options of a delete: from the body, or from the query when there is none.
 *
 * @throws {ApiError} 400, 415 and 422
 */
export async function readDeleteOptions(
  body: RequestBody,
  query: URLSearchParams,
): Promise<DeleteOptions> {
  const decoded = await decodeIfGiven(body, { apiVersion: "v1", kind: optionsKind });
  return decoded === undefined ? checked(fromQuery(query)) : decodeDeleteOptions(decoded.value);
}

/**
 * Reads the options of a delete from the object that holds them.
 *
 * @throws {ApiError} 400 and 422
 */
export function decodeDeleteOptions(value: unknown): DeleteOptions {
  return checked(fromObject(value ?? {}));
}

function checked(raw: RawOptions): DeleteOptions {
  const refusal = invalidOptions(optionsKind, checkOptions(raw));
  if (refusal !== undefined) throw refusal;
  return {
    dryRun: raw.dryRun.length > 0,
    gracePeriodSeconds: raw.gracePeriodSeconds,
    propagationPolicy: policyOf(raw),
    uid: raw.uid,
    resourceVersion: raw.resourceVersion,
  };
}

function policyOf({
  orphanDependents,
  propagationPolicy,
}: RawOptions): PropagationPolicy | undefined {
  if (propagationPolicy !== undefined) return policies.get(propagationPolicy);
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? "Orphan" : "Background";
}

function checkOptions(raw: RawOptions): readonly FieldError[] {
  const { orphanDependents, propagationPolicy } = raw;
  const errors: FieldError[] = [];
  const field = "propagationPolicy";
  if (propagationPolicy !== undefined && orphanDependents !== undefined) {
    const detail = "orphanDependents and deletionPropagation cannot be both set";
    errors.push(invalid(field, propagationPolicy, detail));
  }
  if (propagationPolicy !== undefined && !policies.has(propagationPolicy)) {
    errors.push(notSupported(field, propagationPolicy, [...policies.keys(), "nil"]));
  }
  return [...errors, ...checkDryRun(raw.dryRun)];
}

function fromQuery(query: URLSearchParams): RawOptions {
  return {
    dryRun: query.getAll("dryRun"),
    gracePeriodSeconds: integerParameter(query, "gracePeriodSeconds"),
    propagationPolicy: query.get("propagationPolicy") ?? undefined,
    orphanDependents: booleanParameter(query, "orphanDependents"),
    uid: undefined,
    resourceVersion: undefined,
  };
}

function fromObject(value: unknown): RawOptions {
  if (!isRecord(value)) {
    throw badRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  const { apiVersion = "meta.k8s.io/v1", kind = optionsKind } = value;
  if (kind !== optionsKind) {
    throw badRequest(
      `no kind ${goQuote(textOf(kind))} is registered for version ${goQuote(textOf(apiVersion))} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  const preconditions = value["preconditions"] ?? {};
  if (!isRecord(preconditions)) throw wrongType("preconditions", preconditions);
  const dryRun = value["dryRun"] ?? [];
  if (!isTexts(dryRun)) throw wrongType("dryRun", dryRun);
  return {
    dryRun,
    gracePeriodSeconds: member(value, "gracePeriodSeconds", isInteger),
    propagationPolicy: member(value, "propagationPolicy", isText),
    orphanDependents: member(value, "orphanDependents", isBoolean),
    uid: member(preconditions, "uid", isText),
    resourceVersion: member(preconditions, "resourceVersion", isText),
  };
}

function member<T>(
  object: JsonObject,
  name: string,
  accepts: (value: unknown) => value is T,
): T | undefined {
  const value = object[name];
  if (value === undefined || value === null) return undefined;
  if (!accepts(value)) throw wrongType(name, value);
  return value;
}

const goTypes: Readonly<Record<string, string>> = {
  dryRun: "[]string",
  gracePeriodSeconds: "int64",
  orphanDependents: "bool",
  preconditions: "v1.Preconditions",
  propagationPolicy: "v1.DeletionPropagation",
  resourceVersion: "string",
  uid: "types.UID",
};

function wrongType(name: string, value: unknown): Error {
  const holder = name === "uid" || name === "resourceVersion" ? "Preconditions.preconditions" : "";
  const field = `${holder === "" ? optionsKind : holder}.${name}`;
  return badRequest(
    `json: cannot unmarshal ${goTypeOf(value)} into Go struct field ${field} of type ${goTypes[name]}`,
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

function isInteger(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}
