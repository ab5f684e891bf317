import { clusterAdmin, mastersGroup } from "../authentication/user-info.ts";
import { CertificateAuthority, type Credentials } from "../certificates/certificate-authority.ts";
import type { ListenerTls } from "./listening.ts";

const loopbackHosts: readonly string[] = ["localhost", "127.0.0.1", "::1"];

/** What a listener needs of its own: its certificates and what it gives to clients. */
export interface OwnTls {
  readonly server: Credentials;
  readonly clients: ListenerTls;
}

/** Makes an authority and a certificate for a listener on a host. */
export async function createTls(host: string, names: readonly string[]): Promise<OwnTls> {
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
