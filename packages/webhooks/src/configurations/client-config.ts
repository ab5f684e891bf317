import {
  anInteger,
  aString,
  createInvalidOptionError,
  isRecord,
  type OptionCheck,
  type OptionsOf,
} from "@listwatch/core-fifo/base";

/** The service in front of the replicas of an operator. */
export interface WebhookService {
  /** Namespace of the service, which is that of the operator. */
  readonly namespace: string;
  /** Name of the service. */
  readonly name: string;
  /** Port of the service. @default 443 */
  readonly port?: number | undefined;
}

/** Address and trust of webhooks. */
export interface WebhookAddress {
  /** Service that the server calls. Either this or `url` is required. @default none */
  readonly service?: WebhookService | undefined;
  /**
   * Address in front of the paths, such as `https://webhooks.example.com`, for webhooks outside of
   * the cluster.
   *
   * @default none
   */
  readonly url?: string | undefined;
  /**
   * Certificates of the authorities that the server trusts, as PEM. Without it the configurations
   * leave the field to others, such as the CA injector of cert-manager.
   *
   * @default none
   */
  readonly caBundle?: string | undefined;
}

/** The `clientConfig` of a webhook. */
export interface ClientConfig {
  /** Service with the path of the handler. */
  service?: { namespace: string; name: string; path: string; port: number } | undefined;
  /** Address with the path of the handler. */
  url?: string | undefined;
  /** PEM in base64. */
  caBundle?: string | undefined;
}

const anOrigin: OptionCheck = (value) =>
  typeof value === "string" && /^https:\/\/[^@?#]+$/.test(value) && URL.canParse(value)
    ? undefined
    : "an address such as https://webhooks.example.com";
const certificates: OptionCheck = (value) =>
  typeof value === "string" && value.includes("-----BEGIN CERTIFICATE-----")
    ? undefined
    : "certificates as PEM";

const serviceTable: OptionsOf<WebhookService> = {
  port: anInteger(1),
  namespace: aString,
  name: aString,
};
export const addressTable: OptionsOf<WebhookAddress> = {
  service: serviceTable,
  url: anOrigin,
  caBundle: certificates,
};

/** @throws {InvalidOptionsError} without an address, or with two */
export function checkAddress({ service, url }: WebhookAddress): void {
  if ((service === undefined) === (url === undefined)) {
    throw createInvalidOptionError("service", "either a service or a url", service ?? url);
  }
  if (isRecord(service) && (service["namespace"] === "" || service["name"] === "")) {
    throw createInvalidOptionError("service", "a namespace and a name", service);
  }
}

/** How the server calls the handler of a path. */
export function clientConfigOf(
  { caBundle, service, url }: WebhookAddress,
  path: string,
): ClientConfig {
  const trust = caBundle === undefined ? {} : { caBundle: btoa(caBundle) };
  if (service === undefined) return { url: `${(url ?? "").replace(/\/$/, "")}${path}`, ...trust };
  const { name, namespace, port = 443 } = service;
  return { service: { namespace, name, path, port }, ...trust };
}
