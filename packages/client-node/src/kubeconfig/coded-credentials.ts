import { ConfigError } from "@listwatch/client";
import {
  isRecord,
  recordOf,
  stringOf,
  type Clock,
  type JsonObject,
} from "@listwatch/core-fifo/base";
import type { KubeConfigLike } from "./kube-config-like.ts";
import { addedAuthenticators } from "./kube-config-snapshot.ts";

/** Milliseconds for which credentials are reused. */
const freshMs = 30_000;

/** Credentials as TLS options and request headers. */
export interface AppliedCredentials {
  readonly ca: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  readonly passphrase: string | undefined;
  readonly serverName: string | undefined;
  readonly insecureSkipVerify: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/**
 * Credentials that only code can get: that of `@kubernetes/client-node`, or of an added
 * authenticator. They are requested on demand, one call at a time, and again after 30 s or when the
 * server has refused them.
 */
export class CodedCredentials {
  readonly #config: KubeConfigLike;
  readonly #clock: Clock;
  #current: { readonly applied: AppliedCredentials; readonly untilMs: number } | undefined;
  #asking: Promise<AppliedCredentials> | undefined;

  /** @param config must not change afterwards */
  constructor(config: KubeConfigLike, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
  }

  /** @throws {ConfigError} if no connection can be made with the returned credentials */
  async get(isRefresh = false): Promise<AppliedCredentials> {
    const current = this.#current;
    if (!isRefresh && current !== undefined && this.#clock.now() < current.untilMs) {
      return current.applied;
    }
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #ask(): Promise<AppliedCredentials> {
    const options = { headers: {} };
    await this.#config.applyToHTTPSOptions(options);
    const applied = readOptions(recordOf(options));
    this.#current = { applied, untilMs: this.#clock.now() + freshMs };
    return applied;
  }
}

/**
 * Copies a KubeConfig for the credentials of one context. Later changes of the original do not
 * affect the copy, which keeps the added authenticators.
 *
 * @throws {ConfigError} if the class cannot be constructed like a KubeConfig
 */
export function copyKubeConfig(
  config: KubeConfigLike,
  context: string | undefined,
): KubeConfigLike {
  const copy: unknown = Reflect.construct(config.constructor, []);
  if (!isKubeConfig(copy)) {
    throw new ConfigError(
      "Cannot use the credentials of the KubeConfig: expected its class to make another one without arguments",
    );
  }
  const { clusters, users, contexts } = recordOf(config);
  copy.loadFromOptions({
    clusters: copiesOf(clusters).map(withoutProxy),
    users: copiesOf(users),
    contexts: copiesOf(contexts),
    currentContext: context,
  });
  const add: unknown = Reflect.get(copy, "addAuthenticator");
  for (const added of addedAuthenticators(config)) {
    if (typeof add === "function") Reflect.apply(add, copy, [added]);
  }
  return copy;
}

function isKubeConfig(value: unknown): value is KubeConfigLike {
  return (
    isRecord(value) &&
    typeof value["loadFromOptions"] === "function" &&
    typeof value["applyToHTTPSOptions"] === "function"
  );
}

function copiesOf(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isRecord).map(copyOf) : [];
}

function copyOf(entry: JsonObject): JsonObject {
  return { ...entry };
}

/** A KubeConfig makes an unused agent, and throws for some proxies. */
function withoutProxy(cluster: JsonObject): JsonObject {
  const isPlain = stringOf(cluster["server"]).startsWith("http:");
  const skipTLSVerify = cluster["skipTLSVerify"] === true || isPlain;
  return { ...cluster, proxyUrl: undefined, skipTLSVerify };
}

function readOptions(options: JsonObject): AppliedCredentials {
  if (options["pfx"] !== undefined) {
    throw new ConfigError(
      "Cannot use the credentials of the KubeConfig: expected certificate and key as PEM, got pfx",
    );
  }
  const headers = Object.entries(recordOf(options["headers"])).flatMap(([name, value]) =>
    // Node's `http` also accepts numbers and several values of one name.
    (Array.isArray(value) ? value : [value])
      .filter((item: unknown) => item !== undefined && item !== null)
      .map((item: unknown) => [name, String(item)] as const),
  );
  const { auth } = options;
  const hasAuthorization = headers.some(([name]) => name.toLowerCase() === "authorization");
  if (typeof auth === "string" && !hasAuthorization) {
    const bytes = new TextEncoder().encode(auth);
    headers.push(["authorization", `Basic ${btoa(String.fromCharCode(...bytes))}`]);
  }
  return {
    ca: textOf("ca", options["ca"]),
    cert: textOf("cert", options["cert"]),
    key: textOf("key", options["key"]),
    passphrase: textOf("passphrase", options["passphrase"]),
    serverName: textOf("servername", options["servername"]),
    insecureSkipVerify: options["rejectUnauthorized"] === false,
    headers,
  };
}

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  throw new ConfigError(
    `Cannot use the credentials of the KubeConfig: expected ${name} to be a text or bytes in PEM form`,
  );
}
