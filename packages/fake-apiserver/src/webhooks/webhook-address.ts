import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { count, text } from "../base/read-fields.ts";

/** Where a webhook is, and how it is called. */
export interface WebhookAddress {
  /** The address in messages: the one that a real server would ask. */
  readonly url: string;
  /** The address that is asked; another one if the service has an entry in the settings. */
  readonly target: string;
  /** Name that the certificate has to be valid for. @default the host of `target` */
  readonly serverName?: string | undefined;
  /** Certificates to trust, in PEM. @default those of the system */
  readonly caBundle?: string | undefined;
}

/**
 * Returns the address in a `clientConfig`, as k8s.io/apiserver pkg/util/webhook/client.go makes it.
 *
 * @param services addresses by `NAMESPACE/NAME` or `NAMESPACE/NAME:PORT`
 * @param timeoutSeconds the `timeout` of the query
 */
export function addressOf(
  config: JsonObject,
  services: Readonly<Record<string, string>>,
  timeoutSeconds: number,
): WebhookAddress {
  const caBundle = decodeBundle(text(config, "caBundle"));
  const query = `?timeout=${timeoutSeconds}s`;
  const { service } = config;
  if (!isRecord(service)) {
    const given = new URL(text(config, "url"));
    const url = `${given.protocol}//${given.host}${given.pathname}${query}`;
    return { url, target: url, caBundle };
  }
  const [name, namespace] = [text(service, "name"), text(service, "namespace")];
  const port = count(service, "port") || 443;
  const serverName = `${name}.${namespace}.svc`;
  const path = `/${text(service, "path").replace(/^\/+/, "")}${query}`;
  const url = `https://${serverName}:${port}${path}`;
  const mapped = services[`${namespace}/${name}:${port}`] ?? services[`${namespace}/${name}`];
  const target = mapped === undefined ? url : new URL(mapped).origin + path;
  return { url, target, serverName, caBundle };
}

function decodeBundle(base64: string): string | undefined {
  return base64 === "" ? undefined : atob(base64);
}
