import { compareBytes } from "../base/go-text.ts";

/** The group and version of an object as its `apiVersion` says it. */
export function apiVersionOf(group: string, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}

interface VersionRank {
  readonly isVersion: boolean;
  readonly stability: number;
  readonly major: number;
  readonly minor: number;
}

const stabilities: ReadonlyMap<string, number> = new Map([
  ["alpha", 0],
  ["beta", 1],
]);
const stable = 2;

/**
 * Orders versions as Kubernetes prefers them: stable before beta before alpha, newer before older,
 * and other names last, in alphabetical order (k8s.io/apimachinery,
 * version.CompareKubeAwareVersionStrings).
 */
export function compareVersions(a: string, b: string): number {
  const left = rankVersion(a);
  const right = rankVersion(b);
  if (!left.isVersion && !right.isVersion) return compareBytes(a, b);
  if (left.isVersion !== right.isVersion) return left.isVersion ? -1 : 1;
  return right.stability - left.stability || right.major - left.major || right.minor - left.minor;
}

function rankVersion(name: string): VersionRank {
  const match = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(name);
  if (match === null) return { isVersion: false, stability: 0, major: 0, minor: 0 };
  const [, major = "0", stability, minor = "0"] = match;
  return {
    isVersion: true,
    stability: stability === undefined ? stable : (stabilities.get(stability) ?? 0),
    major: Number(major),
    minor: Number(minor),
  };
}
