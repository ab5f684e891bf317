import type { FieldError } from "../api/errors.ts";
import { exceedsBytes } from "../base/go-text.ts";
import { invalid, required, tooLong } from "../validation/field-errors.ts";
import { checkDnsSubdomain } from "../validation/names.ts";
import { checkText } from "../validation/values.ts";

// k8s.io/kubernetes pkg/apis/resource/types.go.
const maxDriverBytes = 63;
const maxPoolBytes = 253;

/** Checks the name of a driver, which may have capitals. */
export function checkDriver(field: string, name: string): readonly FieldError[] {
  if (name === "") return [required(field)];
  const errors = exceedsBytes(name, maxDriverBytes) ? [tooLong(field, maxDriverBytes)] : [];
  const problems = checkDnsSubdomain(name.toLowerCase());
  return [...errors, ...problems.map((problem) => invalid(field, name, problem))];
}

/** Checks the name of a pool of devices: subdomains with slashes between them. */
export function checkPool(field: string, name: string): readonly FieldError[] {
  if (name === "") return [required(field)];
  const errors = exceedsBytes(name, maxPoolBytes) ? [tooLong(field, maxPoolBytes)] : [];
  const parts = name.split("/");
  return [...errors, ...parts.flatMap((part) => checkText(field, part, checkDnsSubdomain))];
}
