import { ListwatchError } from "./errors.ts";

/**
 * A resourceVersion is not a decimal number above 0 without sign and leading zeros. Code
 * `LW_RESOURCE_VERSION`.
 */
export class ResourceVersionError extends ListwatchError {
  /** Always `"ResourceVersionError"`, also in minified programs. */
  override readonly name: string = "ResourceVersionError";
  /** The string that is not a resourceVersion. */
  readonly resourceVersion: string;

  constructor(resourceVersion: string) {
    const got = JSON.stringify(resourceVersion);
    super(
      "LW_RESOURCE_VERSION",
      `Cannot compare resourceVersions: expected a decimal number above 0, got ${got}`,
    );
    this.resourceVersion = resourceVersion;
  }
}

const wellFormed = /^[1-9][0-9]*$/;

/**
 * Compares two resourceVersions of one resource: −1 if `a` is older than `b`, 1 if it is newer, 0
 * if they are equal. They are decimal numbers of any length, so they are compared as strings, never
 * as numbers.
 *
 * @throws {ResourceVersionError} if one is not a decimal number above 0 without sign and leading
 *   zeros; `""` and `"0"` have a meaning in requests, but no place in this order
 */
export function compareResourceVersions(a: string, b: string): -1 | 0 | 1 {
  if (!wellFormed.test(a)) throw new ResourceVersionError(a);
  if (!wellFormed.test(b)) throw new ResourceVersionError(b);
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Whether a resourceVersion is below another one; `false` if they cannot be compared. */
export function isBelow(version: string, other: string): boolean {
  // Called for every event, and nearly always answered here.
  if (version.length > other.length) return false;
  if (version.length === other.length && version >= other) return false;
  try {
    return compareResourceVersions(version, other) < 0;
  } catch {
    return false;
  }
}
