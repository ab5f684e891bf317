import {
  checkFunction,
  checkObject,
  createInvalidOptionError,
  isRecord,
} from "@listwatch/core-fifo/base";
import type { AdmissionPlugin } from "../admission/admission-plugin.ts";
import type { UserSettings, Authorization } from "../api/access.ts";

/** The users of a server by their tokens. @throws {@link InvalidOptionsError} */
export function readUsers(
  users: Readonly<Record<string, UserSettings>> | undefined,
): ReadonlyMap<string, UserSettings> | undefined {
  if (users === undefined) return undefined;
  if (!isRecord(users)) throw createInvalidOptionError("users", "users by their tokens", users);
  const read = new Map<string, UserSettings>();
  for (const [token, user] of Object.entries(users)) {
    // The error must not tell the token.
    const place = `users[${read.size}]`;
    if (!isRecord(user) || typeof user.username !== "string" || user.username === "") {
      throw createInvalidOptionError(place, "a user with a username", user);
    }
    checkTexts(`${place}.groups`, user.groups);
    for (const values of Object.values(user.extra ?? {})) checkTexts(`${place}.extra`, values);
    if (token === "" || /\s/.test(token)) {
      throw createInvalidOptionError("users", "tokens without white space", "another one");
    }
    read.set(token, user);
  }
  return read;
}

/** How access is decided. @throws {@link InvalidOptionsError} */
export function readAuthorization(
  authorization: Authorization | undefined,
): Authorization | undefined {
  if (authorization === undefined || authorization === "rbac") return authorization;
  if (typeof authorization === "function") return authorization;
  throw createInvalidOptionError("authorization", '"rbac" or a function', authorization);
}

/** The admission plugins. @throws {@link InvalidOptionsError} */
export function readAdmission(
  plugins: Iterable<AdmissionPlugin> | undefined,
): readonly AdmissionPlugin[] {
  const list = [...(plugins ?? [])];
  for (const [index, plugin] of list.entries()) {
    const place = `admission[${index}]`;
    if (!isRecord(plugin) || typeof plugin.name !== "string" || plugin.name === "") {
      throw createInvalidOptionError(place, "a plugin with a name", plugin);
    }
    checkObject(`${place}.match`, plugin.match ?? {});
    for (const name of ["mutate", "validate"]) {
      checkFunction(`${place}.${name}`, Reflect.get(plugin, name));
    }
  }
  return list;
}

function checkTexts(place: string, texts: readonly string[] | undefined): void {
  if (texts === undefined) return;
  if (Array.isArray(texts) && texts.every((text) => typeof text === "string")) return;
  throw createInvalidOptionError(place, "an array of texts", texts);
}
