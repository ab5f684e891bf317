import { clusterAdmin, mastersGroup } from "../authentication/user-info.ts";
import type { Credentials } from "../certificates/certificate-authority.ts";
import type { Listener, ListenerTls } from "./listening.ts";

const loopbackHosts: readonly string[] = ["localhost", "127.0.0.1", "::1"];

/** The certificates of one listener, and those that it issues to clients. */
export interface TlsParts {
  readonly server: Credentials;
  readonly clients: ListenerTls;
}

/** Makes an authority, and a certificate for a listener on a host. */
export async function createTls(host: string, names: readonly string[]): Promise<TlsParts> {
  // Few listeners have TLS, so the code that makes certificates is loaded for them alone.
  const { CertificateAuthority } = await import("../certificates/certificate-authority.ts");
  const authority = await CertificateAuthority.create("fake-apiserver");
  const hosts = [...new Set([...loopbackHosts, host, ...names])];
  const admin = { username: clusterAdmin.username, groups: [mastersGroup] };
  return {
    server: await authority.issueServer(hosts),
    clients: {
      authority: authority.certificate,
      issueClientCertificate: ({ groups, username } = admin) =>
        authority.issueClient({ commonName: username, organizations: groups }),
    },
  };
}

/** A socket that listens. */
export interface Bound {
  readonly host: string;
  readonly port: number;
  readonly tls: TlsParts | undefined;
  readonly close: () => Promise<void>;
}

/** Returns the listener of a socket. */
export function createListener({ close, host, port, tls }: Bound): Listener {
  const scheme = tls === undefined ? "http" : "https";
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `${scheme}://${name}:${port}`,
    port,
    tls: tls?.clients,
    close,
    [Symbol.asyncDispose]: close,
  };
}
