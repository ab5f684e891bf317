import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/resource-definition.ts";
import type { UserInfo } from "../authentication/user-info.ts";
import { texts } from "../base/read-fields.ts";
import type { AccessGate } from "../authorization/access-gate.ts";

/** A question to the server. */
export interface ReviewCall {
  /** What was sent, decoded by its type. */
  readonly object: ApiObject;
  /** Who asks. */
  readonly user: UserInfo;
  /** Of the address, "" for none. */
  readonly namespace: string;
  readonly access: AccessGate;
  /** RFC 3339. */
  readonly now: string;
}

/** Answers the reviews of a kind: members of the object that differ from what was sent. */
export type Review = (call: ReviewCall) => JsonObject | Promise<JsonObject>;

/** A user as reviews show it. */
export function userObject({ extra, groups, uid, username }: UserInfo): JsonObject {
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra === undefined ? {} : { extra }),
  };
}

/** The `extra` of a user in an object. */
export function readExtra(value: unknown): UserInfo["extra"] {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.fromEntries(Object.keys(value).map((key) => [key, texts(value, key)]));
}
