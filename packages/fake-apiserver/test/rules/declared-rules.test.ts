import { beforeAll, describe, expect, test } from "vitest";
import { checkDeclared } from "../../src/rules/declared-rules.ts";
import { withDeclared } from "../../src/rules/with-declared.ts";
import { loadSchemaTable, type SchemaTable } from "../../src/schema/schema-table.ts";
import { invalid, required } from "../../src/validation/field-errors.ts";
import { describeErrors } from "../support/describe-errors.ts";

let table: SchemaTable;

beforeAll(async () => {
  table = await loadSchemaTable();
});

function errorsOf(type: string, object: object, stored?: object): readonly string[] {
  const [apiVersion = "", kind = ""] = type.split(" ");
  const metadata = { name: "a" };
  const before = stored && { metadata, ...stored };
  return describeErrors(
    checkDeclared(table.typeOf(apiVersion, kind)!, { metadata, ...object }, before),
  );
}

describe("rules that the tags of types declare (VAL-1)", () => {
  test.each([
    [
      "rbac.authorization.k8s.io/v1 Role",
      { rules: [{ verbs: ["get"] }, { verbs: [] }] },
      "rules[1].verbs: Required value",
    ],
    [
      "discovery.k8s.io/v1 EndpointSlice",
      { addressType: "IPv4", endpoints: [{ addresses: [] }] },
      "endpoints[0].addresses: Required value",
    ],
    [
      "autoscaling/v2 HorizontalPodAutoscaler",
      { spec: { maxReplicas: -1 } },
      "spec.maxReplicas: Invalid value: -1: must be greater than or equal to 1",
    ],
    [
      "networking.k8s.io/v1 IPAddress",
      { spec: { parentRef: { resource: "services" } } },
      "spec.parentRef.name: Required value",
    ],
    [
      "resource.k8s.io/v1 DeviceClass",
      { spec: { selectors: Array.from({ length: 33 }, () => ({})) } },
      "spec.selectors: Too many: 33: must have at most 32 items",
    ],
    [
      "resource.k8s.io/v1 ResourceClaim",
      { spec: { devices: { requests: [{ name: "a" }, { name: "a" }] } } },
      'spec.devices.requests[1]: Duplicate value: {"name":"a"}',
    ],
    [
      "storage.k8s.io/v1 VolumeAttachment",
      { spec: { attacher: "a b" } },
      expect.stringMatching(/^spec\.attacher: Invalid value: "a b": an RFC 1123 subdomain/),
    ],
  ])("refuse a new %s: %j", (type, object, problem) => {
    expect(errorsOf(type, object)).toEqual([problem]);
  });

  test("refuse a change of an immutable field, without its value", () => {
    const type = "storage.k8s.io/v1 StorageClass";
    expect(errorsOf(type, { provisioner: "b" }, { provisioner: "a" })).toEqual([
      "provisioner: Invalid value: null: field is immutable",
    ]);
    expect(errorsOf(type, { provisioner: "a" }, { provisioner: "a" })).toEqual([]);
  });

  test("let a field be set once where the tag says so", () => {
    const type = "resource.k8s.io/v1 ResourceClaim";
    const of = (allocation?: object) => ({ status: allocation && { allocation } });
    expect(errorsOf(type, of({ nodeSelector: {} }), of())).toEqual([]);
    expect(
      errorsOf(type, of({ allocationTimestamp: "b" }), of({ allocationTimestamp: "a" })),
    ).toEqual(["status.allocation: Invalid value: null: field cannot be modified once set"]);
  });

  test("are not checked again where an update changes nothing", () => {
    const type = "rbac.authorization.k8s.io/v1 Role";
    const bad = { rules: [{ verbs: [] }] };
    expect(errorsOf(type, bad, bad)).toEqual([]);
    expect(errorsOf(type, { rules: [...bad.rules, { verbs: ["get"] }] }, bad)).toEqual([
      "rules[0].verbs: Required value",
    ]);
  });

  test("take the places of errors of the same reason for the same field", () => {
    const byHand = [required("a", "must be set"), invalid("a", 0, "must be more"), required("b")];
    expect(describeErrors(withDeclared(byHand, [required("a")]))).toEqual([
      "a: Invalid value: 0: must be more",
      "b: Required value",
      "a: Required value",
    ]);
  });

  test("take the places of the same problems of an invalid value only", () => {
    const declared = invalid("a", null, "field is immutable");
    const long = "must be no more than 63";
    const byHand = [invalid("a", "b", "field is immutable"), invalid("a", "b", "must be more")];
    expect(describeErrors(withDeclared(byHand, [declared]))).toEqual([
      'a: Invalid value: "b": must be more',
      "a: Invalid value: null: field is immutable",
    ]);
    const inBytes = invalid("a", "b", `${long} bytes`);
    expect(withDeclared([invalid("a", "b", `${long} characters`)], [inBytes])).toEqual([inBytes]);
  });
});
