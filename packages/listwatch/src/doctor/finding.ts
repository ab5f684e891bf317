/** What is looked at, in this order. */
export type CheckName =
  | "configuration"
  | "address"
  | "tls"
  | "clock"
  | "credentials"
  | "resource"
  | "access"
  | "watch-list"
  | "streaming";

/** What came out of one check. */
export interface Finding {
  readonly check: CheckName;
  /** `skipped`: it could not be looked at, for a reason that another finding has. */
  readonly outcome: "ok" | "failed" | "skipped";
  /** What is so. */
  readonly message: string;
  /** What to do about it, of what failed. */
  readonly remedy?: string | undefined;
}

export function passed(check: CheckName, message: string): Finding {
  return { check, outcome: "ok", message };
}

export function failed(check: CheckName, message: string, remedy: string): Finding {
  return { check, outcome: "failed", message, remedy };
}

export function skipped(check: CheckName, message: string): Finding {
  return { check, outcome: "skipped", message };
}

/** The day and the time of day, to the minute: `2026-11-23 20:04 UTC`. */
export function describeTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
