import {
  createInvalidOptionError,
  isRecord,
  aFunction,
  anObject,
  aString,
  someStrings,
  checkOption,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { AdmissionMatch, AdmissionPlugin } from "../admission/admission-plugin.ts";
import type { WebhookSettings } from "../webhooks/webhook-settings.ts";
import type { UserSettings, Authorization } from "../api/access.ts";

const userTable: OptionsOf<UserSettings> = {
  username: aString,
  groups: someStrings,
  uid: aString,
  extra: anObject,
};
const webhookTable: OptionsOf<WebhookSettings> = { fetch: aFunction, services: anObject };
const matchTable: OptionsOf<AdmissionMatch> = {
  operations: someStrings,
  apiGroups: someStrings,
  resources: someStrings,
};

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
    checkOption(place, user, userTable);
    for (const values of Object.values(user.extra ?? {})) {
      checkOption(`${place}.extra`, values, someStrings);
    }
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

/** How webhooks are called; undefined if they are not. @throws {@link InvalidOptionsError} */
export function readWebhooks(
  webhooks: WebhookSettings | "ignore" | undefined,
): WebhookSettings | undefined {
  if (webhooks === "ignore") return undefined;
  if (webhooks === undefined) return {};
  if (!isRecord(webhooks)) {
    throw createInvalidOptionError("webhooks", 'an object or "ignore"', webhooks);
  }
  const settings: WebhookSettings = webhooks;
  checkOption("webhooks", settings, webhookTable);
  for (const [service, address] of Object.entries(settings.services ?? {})) {
    const place = `webhooks.services[${JSON.stringify(service)}]`;
    if (!/^[^/:]+\/[^/:]+(?::\d+)?$/.test(service)) {
      throw createInvalidOptionError(
        "webhooks.services",
        "NAMESPACE/NAME or NAMESPACE/NAME:PORT",
        service,
      );
    }
    if (typeof address !== "string" || !URL.canParse(address)) {
      throw createInvalidOptionError(place, "an address such as https://localhost:9443", address);
    }
  }
  return settings;
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
    if (plugin.match !== undefined) checkOption(`${place}.match`, plugin.match, matchTable);
    for (const name of ["mutate", "validate"]) {
      const member: unknown = Reflect.get(plugin, name);
      if (member !== undefined) checkOption(`${place}.${name}`, member, aFunction);
    }
  }
  return list;
}
