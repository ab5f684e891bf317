import type { FieldError } from "../../api/errors.ts";
import { invalid } from "../../validation/field-errors.ts";

/** A path that never leads upwards. */
export function checkNoBacksteps(field: string, path: string): readonly FieldError[] {
  return path.split("/").includes("..") ? [invalid(field, path, "must not contain '..'")] : [];
}

/** A path that leads downwards from where it is used. */
export function checkDescendingPath(field: string, path: string): readonly FieldError[] {
  const errors = checkNoBacksteps(field, path);
  return path.startsWith("/")
    ? [invalid(field, path, "must be a relative path"), ...errors]
    : errors;
}

/** The path of a file in a volume; names that begin with two dots are for the kubelet. */
export function checkFilePath(field: string, path: string): readonly FieldError[] {
  const errors = checkDescendingPath(field, path);
  if (!path.startsWith("..") || path.startsWith("../")) return errors;
  return [...errors, invalid(field, path, "must not start with '..'")];
}
