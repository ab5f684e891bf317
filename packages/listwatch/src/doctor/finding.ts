/** Names of the checks, in their order. */
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

/** Result of one check. */
export interface Finding {
  readonly check: CheckName;
  /** `skipped`: not examined, for a reason that another finding contains. */
  readonly outcome: "ok" | "failed" | "skipped";
  /** Description of the result. */
  readonly message: string;
  /** Remedy for a failure. */
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

/** Formats a time to the minute: `2026-11-23 20:04 UTC`. */
export function describeTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
