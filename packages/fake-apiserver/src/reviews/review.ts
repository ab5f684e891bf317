import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { UserInfo } from "../api/access.ts";
import { texts } from "../base/read-fields.ts";
import type { AccessGate } from "../authorization/access-gate.ts";

/** A request for a review. */
export interface ReviewCall {
  /** The decoded request body. */
  readonly object: ApiObject;
  /** The sender. */
  readonly user: UserInfo;
  /** Namespace in the address, or "". */
  readonly namespace: string;
  readonly access: AccessGate;
  /** RFC 3339. */
  readonly now: string;
}

/** Answers reviews of a kind. Returns the members that differ from the request. */
export type Review = (call: ReviewCall) => JsonObject | Promise<JsonObject>;

/** Converts a user to its form in reviews. */
export function userObject({ extra, groups, uid, username }: UserInfo): JsonObject {
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra === undefined ? {} : { extra }),
  };
}

/** Reads the `extra` attributes of a user from an object. */
export function readExtra(value: unknown): UserInfo["extra"] {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.fromEntries(Object.keys(value).map((key) => [key, texts(value, key)]));
}
