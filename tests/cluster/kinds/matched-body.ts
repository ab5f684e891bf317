import type { Draft } from "./generate-object.ts";

const timePattern = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;
// Addresses and ports that a server chooses at random.
const chosenByServer = new Set(["clusterIP", "clusterIPs", "healthCheckNodePort", "nodePort"]);

/** Replaces what differs between servers, as described in FORMAT-apiserver.md. */
export function matched(body: Draft, sent: Draft): unknown {
  const { metadata, ...rest } = body as { readonly metadata?: Draft };
  const { managedFields: _owners, ...kept } = metadata ?? {};
  const { resourceVersion, uid } = kept;
  const texts = JSON.stringify(sent);
  const times = new Set<string>(texts.match(timePattern));
  const mark = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) {
      const items = value.map((one) => mark(one, name));
      return unordered.has(name) ? { $unordered: items.sort(byText) } : items;
    }
    if (typeof value === "object" && value !== null) {
      const members = Object.entries(value).map(([key, one]) => [key, mark(one, key)]);
      return Object.fromEntries(members) as unknown;
    }
    if (uid !== undefined && value === uid) return { $uid: "uid1" };
    if (name === "resourceVersion" && value === resourceVersion) return { $rv: "rv1" };
    if (typeof value === "string" && isTime(value) && !times.has(value)) return { $time: true };
    const isChosen =
      value !== 0 && value !== "None" && !texts.includes(`:${JSON.stringify(value)}`);
    return chosenByServer.has(name) && isChosen ? { $any: true } : value;
  };
  return mark({ ...rest, ...(metadata !== undefined && { metadata: kept }) }, "");
}

// Rules of roles come in the order of a map.
const unordered = new Set(["nonResourceRules", "resourceRules"]);

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function isTime(value: string): boolean {
  return value.replace(timePattern, "") === "" && value !== "";
}
