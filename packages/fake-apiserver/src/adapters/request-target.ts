// RFC 9110 §7.2: a name or an address, and a port. A user, a path or a query are none.
const authorityPattern = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?$/;

/** Whether a string is the authority of an HTTP URL: a name or an address, and a port. */
export function isAuthority(text: string): boolean {
  return authorityPattern.test(text);
}

/** The parts of a request's first lines that its URL is made of. */
export interface RawTarget {
  /** As in the request line: a path, or a URL (RFC 9112 §3.2). */
  readonly target: string;
  /** The values of all Host headers. */
  readonly hosts: readonly string[];
  /** The scheme of the connection. */
  readonly scheme: "http" | "https";
}

/**
 * The URL that a request is for; undefined for a request that must be refused (RFC 9112 §3.2: more
 * than one Host, or one that is not an authority).
 *
 * Header and target are read each by itself: put together as strings, a Host such as
 * `localhost/api/v1/secrets?` would become a part of the path.
 */
export function requestUrl({ hosts, scheme, target }: RawTarget): string | undefined {
  const [host = "localhost", ...others] = hosts;
  if (others.length > 0 || !isAuthority(host)) return undefined;
  if (target.startsWith("/")) return `${scheme}://${host}${target}`;
  // The name in an absolute target takes the place of the header.
  const { authority, rest = "" } =
    /^https?:\/\/(?<authority>[^/?#]*)(?<rest>.*)$/is.exec(target)?.groups ?? {};
  if (authority === undefined || !isAuthority(authority)) return undefined;
  return `${scheme}://${authority}${rest.startsWith("/") ? rest : `/${rest}`}`;
}
