import type { Secret } from "@listwatch/resources/core/v1";
import { recordOf, stringOf } from "@listwatch/core-fifo/base";
import { certificatesIn, decodeBase64 } from "./pem.ts";
import { inspectCertificate, type Inspected } from "./x509.ts";

/** Content of the Secret of {@link rotatedCertificates}. */
export interface IssuedSecret {
  /** The Secret as it was read; undefined if it does not exist. */
  readonly object: Secret | undefined;
  /** All authorities that a replica may need, newest first, in the form of `certificatesIn`. */
  readonly authorities: readonly string[];
  /** Certificate that replicas serve; undefined if there is none that can be used. */
  readonly current: Inspected | undefined;
  /** Certificate that waits until its authority is in every `caBundle`. */
  readonly next: Inspected | undefined;
}

/** Content to write. */
export interface SecretContent {
  readonly authorities: readonly string[];
  readonly current: { readonly certificate: string; readonly key: string } | undefined;
  readonly next: { readonly certificate: string; readonly key: string } | undefined;
}

const members = {
  authorities: "ca.crt",
  certificate: "tls.crt",
  key: "tls.key",
  nextCertificate: "next.crt",
  nextKey: "next.key",
} as const;

/** Reads the members that {@link dataOf} writes. What cannot be used counts as absent. */
export async function readIssuedSecret(object: Secret | undefined): Promise<IssuedSecret> {
  const data = recordOf(object?.data);
  const read = (member: string): string => decodeBase64(stringOf(data[member]));
  const authorities = certificatesIn(read(members.authorities));
  const pair = (certificate: string, key: string): Promise<Inspected | undefined> =>
    inspectCertificate({ certificate: read(certificate), key: read(key) }, authorities);
  return {
    object,
    authorities,
    current: await pair(members.certificate, members.key),
    next: await pair(members.nextCertificate, members.nextKey),
  };
}

/**
 * The data of a Secret, with the members of the type `kubernetes.io/tls`. It has another type, as
 * it begins without a certificate. Members of others stay.
 */
export function dataOf(
  { authorities, current, next }: SecretContent,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const own = new Set<string>(Object.values(members));
  return {
    ...Object.fromEntries(Object.entries(before).filter(([member]) => !own.has(member))),
    [members.authorities]: btoa(authorities.join("")),
    ...(current === undefined
      ? {}
      : { [members.certificate]: btoa(current.certificate), [members.key]: btoa(current.key) }),
    ...(next === undefined
      ? {}
      : { [members.nextCertificate]: btoa(next.certificate), [members.nextKey]: btoa(next.key) }),
  };
}
