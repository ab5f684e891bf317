import { isRecord, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { goStruct } from "../base/go-text.ts";
import { text, texts } from "../base/read-fields.ts";
import { checkRange, parseRange } from "../validation/addresses.ts";
import { invalid, invalidShown, required } from "../validation/field-errors.ts";
import { checkDnsSubdomain, checkPathSegment } from "../validation/names.ts";
import { checkText } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";

/** Rules for IPAddresses. */
export const ipAddressRules: ObjectRules = rulesOf(
  (address) => {
    const { parentRef } = recordOf(address["spec"]);
    const field = "spec.parentRef";
    if (!isRecord(parentRef)) return [required(field)];
    const [group, namespace] = ["group", "namespace"].map((name) => text(parentRef, name));
    return [
      ...(group ? checkText(`${field}.group`, group, checkDnsSubdomain) : []),
      ...["resource", "name"].flatMap((name) => {
        const value = text(parentRef, name);
        if (value === "") return [required(`${field}.${name}`)];
        return checkText(`${field}.${name}`, value, checkPathSegment);
      }),
      ...(namespace ? checkText(`${field}.namespace`, namespace, checkPathSegment) : []),
    ];
  },
  { first: "check", changes: checkParent },
);

function checkParent(address: ApiObject, stored: ApiObject): readonly FieldError[] {
  const names = ["group", "resource", "namespace", "name"];
  const [now, before] = [address, stored].map((one) =>
    recordOf(recordOf(one["spec"])["parentRef"]),
  );
  if (names.every((name) => text(now, name) === text(before, name))) return [];
  if (!isRecord(recordOf(address["spec"])["parentRef"])) {
    return [invalid("spec.parentRef", null, "field is immutable")];
  }
  const shown = goStruct({
    Group: text(now, "group"),
    Resource: text(now, "resource"),
    Namespace: text(now, "namespace"),
    Name: text(now, "name"),
  });
  return [invalidShown("spec.parentRef", shown, "field is immutable")];
}

/** Rules for ServiceCIDRs: ranges can be added, but not removed. */
export const serviceRangeRules: ObjectRules = {
  create: (range) => checkRanges(texts(range, "spec", "cidrs")),
  update: (range, stored) => {
    const [ranges, before] = [range, stored].map((one) => texts(one, "spec", "cidrs"));
    return checkRangeChanges(ranges ?? [], before ?? []);
  },
};

const field = "spec.cidrs";

function checkRanges(ranges: readonly string[]): readonly FieldError[] {
  if (ranges.length === 0) return [required(field, "at least one CIDR required")];
  if (ranges.length > 2) return [invalid(field, { CIDRs: ranges }, "may only hold up to 2 values")];
  const errors = ranges.flatMap((range, index) => checkRange(`${field}[${index}]`, range));
  const [first, second] = ranges.map((range) => parseRange(range)?.address.family);
  if (ranges.length < 2 || first === undefined || first !== second) return errors;
  const problem =
    "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64";
  return [...errors, invalid(field, ranges, problem)];
}

function checkRangeChanges(
  ranges: readonly string[],
  before: readonly string[],
): readonly FieldError[] {
  const problem = "field is immutable";
  const isWider = before.length === 1 && ranges.length === 2;
  if (ranges.length !== before.length && !isWider) {
    return [invalid(field, ranges.length === 0 ? null : ranges, problem)];
  }
  const errors = before.flatMap((range, index) =>
    ranges[index] === range ? [] : [invalid(`${field}[${index}]`, ranges[index], problem)],
  );
  return isWider ? [...errors, ...checkRanges(ranges)] : errors;
}
