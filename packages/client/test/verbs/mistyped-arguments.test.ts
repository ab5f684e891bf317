import { Collection, createClient, createConnection, type Connection } from "@listwatch/client";
import { describe, expect, test } from "vitest";

// Arguments of programs without types, or with casts.
const server = "http://server";
const connection = createConnection({ server, fetch: async () => new Response("{}") });
const client = createClient(connection);
const services = { group: "", version: "v1", resource: "services", kind: "Service" };

function messageOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return String(error);
  }
  return "none";
}

describe("a value that is not a connection is rejected immediately", () => {
  const expected = "InvalidOptionsError: Cannot use the option connection: expected what ";

  test.each([
    [undefined, "undefined"],
    [null, "null"],
    [{ server }, "an object with server"],
    [{ connection }, "an object with connection"],
  ])("%o", (given, got) => {
    const message = `${expected}createConnection makes, got ${got}`;
    expect(messageOf(() => createClient(given as Connection))).toBe(message);
    const options = { connection: given as Connection, resource: services };
    expect(messageOf(() => new Collection(options))).toBe(message);
  });

  test("an address, whose credentials are not shown", () => {
    const address: unknown = "http://user:password@server";
    const message = messageOf(() => createClient(address as Connection));
    expect(message).toContain(expected);
    expect(message).not.toContain("password");
  });
});

describe("a value that is not a resource is rejected immediately", () => {
  test.each([
    ["pods", 'the string "pods"'],
    [undefined, "undefined"],
    [{ resource: "pods" }, "an object with resource"],
    [{ group: "", version: 1, resource: "pods" }, "an object with group, version, resource"],
    [{ group: null, version: "v1", resource: "pods" }, "an object with group, version, resource"],
    [{ group: "", version: "v1", kind: "Pod" }, "an object with group, version, kind"],
  ])("%o", (given, got) => {
    const resource = given as unknown as typeof services;
    const message =
      "InvalidOptionsError: Cannot use the option resource: expected a handle, or an object with " +
      `group, version and resource, got ${got}`;
    expect(messageOf(() => client.resource(resource))).toBe(message);
    expect(messageOf(() => client.in("shop").resource(resource))).toBe(message);
    expect(messageOf(() => new Collection({ connection, resource }))).toBe(message);
  });
});

test("a key without the namespace of its object is rejected with the form of keys", async () => {
  const namespaced = client.resource({ ...services, scope: "Namespaced" });
  for (const key of ["a", "", "/a"]) {
    const wrong = key as "shop/a";
    const message =
      'Cannot make a path of the namespace: expected the key "namespace/name", got the string ' +
      JSON.stringify(key);
    const failure = { code: "LW_INVALID_NAME", part: "namespace", value: key, message };
    await expect(namespaced.get(wrong)).rejects.toMatchObject(failure);
    await expect(namespaced.delete(wrong)).rejects.toMatchObject(failure);
  }
  await expect(namespaced.in("shop").get("a")).resolves.toEqual({});
  await expect(client.resource(services).get("a")).resolves.toEqual({});
});

test("an object of a namespaced resource without a namespace is rejected", async () => {
  const namespaced = client.resource({ ...services, scope: "Namespaced" });
  await expect(namespaced.create({ metadata: { name: "a" } })).rejects.toThrow(
    'Cannot make a path of the namespace: expected one in the metadata of the object, got the string ""',
  );
});
