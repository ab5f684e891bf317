import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import type { ControlPlane } from "./control-plane.ts";

/** Name of the context, the cluster and the user. */
export const contextName = "kind-listwatch";

/** A kubeconfig for the administrator with inline certificates, as written by kind. */
export function kindKubeconfig({ pki, server }: ControlPlane): string {
  const data = (file: string): string => readFileSync(join(pki, file)).toString("base64");
  return stringify({
    apiVersion: "v1",
    clusters: [
      {
        cluster: { "certificate-authority-data": data("ca.crt"), server },
        name: contextName,
      },
    ],
    contexts: [{ context: { cluster: contextName, user: contextName }, name: contextName }],
    "current-context": contextName,
    kind: "Config",
    preferences: {},
    users: [
      {
        name: contextName,
        user: {
          "client-certificate-data": data("client.crt"),
          "client-key-data": data("client.key"),
        },
      },
    ],
  });
}

/** A kubeconfig for a service account with its token, in the account's namespace. */
export function accountKubeconfig(
  { pki, server }: ControlPlane,
  { name, namespace, token }: { name: string; namespace: string; token: string },
): string {
  const authority = readFileSync(join(pki, "ca.crt")).toString("base64");
  return stringify({
    apiVersion: "v1",
    clusters: [{ cluster: { "certificate-authority-data": authority, server }, name: "real" }],
    contexts: [{ context: { cluster: "real", namespace, user: name }, name: "real" }],
    "current-context": "real",
    kind: "Config",
    users: [{ name, user: { token } }],
  });
}
