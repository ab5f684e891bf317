import type { JsonObject } from "@listwatch/core-fifo/base";

/** Kubernetes release whose behaviour is recorded and imitated. */
export const defaultServerVersion = "1.37.2";

/** Placeholders, since the version does not belong to a real build. */
const noCommit = "0000000000000000000000000000000000000000";
const noDate = "1970-01-01T00:00:00Z";

/**
 * Response of `GET /version`. kubectl requires `gitVersion` to be a semantic version with a leading
 * v, so missing parts become zeros.
 *
 * @param serverVersion like "1.37", "1.37.2" or "v1.37.2"
 * @throws {RangeError} if it is not such a version
 */
export function versionDocument(serverVersion: string = defaultServerVersion): JsonObject {
  const match = /^v?(\d+)\.(\d+)(?:\.(\d+))?$/.exec(serverVersion);
  if (match === null) {
    throw new RangeError(
      `Server version must look like "1.37" or "1.37.2", got ${JSON.stringify(serverVersion)}`,
    );
  }
  const [, major = "", minor = "", patch = "0"] = match;
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Math.max(0, Number(minor) - 1)),
    gitVersion: `v${major}.${minor}.${patch}`,
    gitCommit: noCommit,
    gitTreeState: "clean",
    buildDate: noDate,
    goVersion: "go1.26.0",
    compiler: "gc",
    platform: "linux/amd64",
  };
}
