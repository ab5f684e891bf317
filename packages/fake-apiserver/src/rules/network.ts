import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { objects, text, texts } from "../base/read-fields.ts";
import { checkRange, isWithin, parseRange } from "../validation/addresses.ts";
import { forbidden, invalid, required } from "../validation/field-errors.ts";
import { checkLabelSelector } from "../validation/label-selector.ts";
import { checkListed, checkPort, checkPortNumber } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";
import { protocols } from "./service-ports.ts";

/** Rules for NetworkPolicies. */
export const networkPolicyRules: ObjectRules = rulesOf((policy) => {
  const spec = recordOf(policy["spec"]);
  return [
    ...checkLabelSelector("spec.podSelector", spec["podSelector"]),
    ...checkDirection("spec.ingress", objects(spec, "ingress"), "from"),
    ...checkDirection("spec.egress", objects(spec, "egress"), "to"),
    ...checkTypes(texts(spec, "policyTypes")),
  ];
});

function checkTypes(types: readonly string[]): readonly FieldError[] {
  const field = "spec.policyTypes";
  if (types.length > 2) return [invalid(field, types, "may not specify more than two policyTypes")];
  return types.flatMap((type, index) =>
    checkListed(`${field}[${index}]`, type, ["Ingress", "Egress"]),
  );
}

function checkDirection(
  field: string,
  rules: readonly JsonObject[],
  peers: "from" | "to",
): readonly FieldError[] {
  return rules.flatMap((rule, index) => {
    const path = `${field}[${index}]`;
    const errors = objects(rule, "ports").flatMap((port, at) =>
      checkPolicyPort(`${path}.ports[${at}]`, port),
    );
    for (const [at, peer] of objects(rule, peers).entries()) {
      errors.push(...checkPeer(`${path}.${peers}[${at}]`, peer));
    }
    return errors;
  });
}

function checkPolicyPort(field: string, port: JsonObject): FieldError[] {
  const { endPort, protocol } = port;
  const first = port["port"];
  const errors =
    protocol === undefined ? [] : checkListed(`${field}.protocol`, protocol, protocols);
  if (first !== undefined) errors.push(...checkPort(`${field}.port`, first));
  if (typeof endPort !== "number") return errors;
  if (typeof first !== "number") {
    const why = first === undefined ? "not specified" : "non-numeric";
    const problem = `may not be specified when \`port\` is ${why}`;
    return [...errors, invalid(`${field}.endPort`, endPort, problem)];
  }
  if (endPort < first) {
    errors.push(invalid(`${field}.endPort`, endPort, "must be greater than or equal to `port`"));
  }
  return [...errors, ...checkPortNumber(`${field}.endPort`, endPort)];
}

function checkPeer(field: string, peer: JsonObject): readonly FieldError[] {
  const { ipBlock, namespaceSelector, podSelector } = peer;
  const selectors = [podSelector, namespaceSelector].filter(isRecord).length;
  if (selectors === 0 && !isRecord(ipBlock)) return [required(field, "must specify a peer")];
  if (selectors > 0 && isRecord(ipBlock)) {
    return [forbidden(field, "may not specify both ipBlock and another peer")];
  }
  return [
    ...checkLabelSelector(`${field}.podSelector`, podSelector),
    ...checkLabelSelector(`${field}.namespaceSelector`, namespaceSelector),
    ...(isRecord(ipBlock) ? checkBlock(`${field}.ipBlock`, ipBlock) : []),
  ];
}

function checkBlock(field: string, block: JsonObject): readonly FieldError[] {
  const cidr = text(block, "cidr");
  if (cidr === "") return [required(`${field}.cidr`)];
  const outer = parseRange(cidr);
  if (outer === undefined) return checkRange(`${field}.cidr`, cidr);
  return texts(block, "except").flatMap((except, index) => {
    const path = `${field}.except[${index}]`;
    const inner = parseRange(except);
    if (inner === undefined) return checkRange(path, except);
    const isSubset = isWithin(inner, outer) && inner.prefix > outer.prefix;
    return isSubset ? [] : [invalid(path, except, "must be a strict subset of `cidr`")];
  });
}
