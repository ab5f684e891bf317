import { isJsonEqual, isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { FieldError } from "../api/errors.ts";
import { text, texts } from "../base/read-fields.ts";
import { parseAddress } from "../validation/addresses.ts";
import { invalid } from "../validation/field-errors.ts";
import type { IpFamily } from "./service-range.ts";

// All of this is pkg/registry/core/service/storage/alloc.go, `initIPFamilyFields`.

/** Returns the policy of a service: its own, the stored one, or the default. */
export function policyOf(spec: JsonObject, old: JsonObject | undefined): string {
  const given = text(spec, "ipFamilyPolicy") || text(old, "ipFamilyPolicy");
  if (given !== "") return given;
  return isWithoutPods(spec) ? "RequireDualStack" : "SingleStack";
}

/**
 * Returns the families of a service with a policy and its given addresses.
 *
 * @param configured those of the cluster, the default one first
 */
export function familiesOf(
  spec: JsonObject,
  old: JsonObject | undefined,
  configured: readonly IpFamily[],
): readonly string[] {
  const { ipFamilyPolicy } = spec;
  const given = texts(spec, "ipFamilies");
  const isSingle = ipFamilyPolicy === "SingleStack";
  const isTrimmed = isSingle && old !== undefined && isJsonEqual(given, old["ipFamilies"]);
  const families = isTrimmed ? given.slice(0, 1) : [...given];
  const addresses = texts(spec, "clusterIPs").filter((address) => address !== "None");
  for (const address of addresses.slice(families.length)) {
    const family = parseAddress(address)?.family;
    // Refused later.
    if (family === undefined || !configured.includes(family)) return families;
    families.push(family);
  }
  if (isUnchanged(spec, old, families)) return families;
  const isDual = isWithoutPods(spec) || configured.length === 2;
  const [first = configured[0] ?? "IPv4"] = families;
  if (isSingle || !isDual || families.length > 1) return families.length > 0 ? families : [first];
  return [first, first === "IPv4" ? "IPv6" : "IPv4"];
}

// A change of the cluster's families changes no service that prefers two of them.
function isUnchanged(
  { clusterIPs, ipFamilyPolicy }: JsonObject,
  old: JsonObject | undefined,
  families: readonly string[],
): boolean {
  if (old === undefined || ipFamilyPolicy !== "PreferDualStack") return false;
  return (
    old["ipFamilyPolicy"] === ipFamilyPolicy &&
    isJsonEqual(old["clusterIPs"], clusterIPs) &&
    isJsonEqual(old["ipFamilies"], families)
  );
}

/** Checks that the cluster has the families of a service. */
export function checkFamilies(
  service: ApiObject,
  stored: ApiObject | undefined,
  configured: readonly IpFamily[],
): readonly FieldError[] {
  const spec = recordOf(service["spec"]);
  const { ipFamilyPolicy, type } = spec;
  if (type === "ExternalName") return [];
  const families = texts(spec, "ipFamilies");
  const addresses = texts(spec, "clusterIPs");
  const errors = [
    ...checkCounts(spec, recordOf(stored?.["spec"])),
    ...addresses.flatMap((address, index) => {
      const family = parseAddress(address)?.family;
      if (family === undefined || families[index] !== undefined) return [];
      const problem = `${family} is not configured on this cluster`;
      return [invalid(`spec.clusterIPs[${index}]`, addresses, problem)];
    }),
  ];
  if (errors.length > 0 || isWithoutPods(spec)) return errors;
  if (ipFamilyPolicy === "RequireDualStack" && configured.length < 2) {
    const problem = "this cluster is not configured for dual-stack services";
    errors.push(invalid("spec.ipFamilyPolicy", ipFamilyPolicy, problem));
  }
  for (const [index, family] of families.entries()) {
    if (configured.some((one) => one === family)) continue;
    errors.push(invalid(`spec.ipFamilies[${index}]`, family, "not configured on this cluster"));
  }
  return errors;
}

function checkCounts(spec: JsonObject, stored: JsonObject): readonly FieldError[] {
  const { ipFamilyPolicy } = spec;
  const counted = [
    ["clusterIPs", "release the secondary cluster IP", "cluster IPs"],
    ["ipFamilies", "release the secondary IP family", "IP families"],
  ] as const;
  return counted.flatMap(([name, release, several]) => {
    const [now, before] = [spec, stored].map((one) => texts(one, name).length);
    const problem =
      ipFamilyPolicy === "SingleStack"
        ? now === 2 &&
          `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${several} are specified`
        : before === 2 && now === 1 && `must be 'SingleStack' to ${release}`;
    return problem === false ? [] : [invalid("spec.ipFamilyPolicy", ipFamilyPolicy, problem)];
  });
}

/** Whether a service has neither an address nor pods that it selects. */
function isWithoutPods(spec: JsonObject): boolean {
  const { clusterIP = texts(spec, "clusterIPs")[0], selector } = spec;
  return clusterIP === "None" && !isRecord(selector);
}
