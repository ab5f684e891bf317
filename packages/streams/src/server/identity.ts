import { collectionsParameter } from "../protocol/messages.ts";

/**
 * Matches names of headers that may tell users apart: those of clients, and those of proxies that
 * authenticate. A header that matches without need costs a fresh list at a resume; one that does
 * not match would leave objects of one user to the next.
 */
const namesUser =
  /auth|cookie|user(?!-agent)|mail|group|role|account|principal|subject|identity|login|impersonat|tenant|team|org|token|jwt|oidc|saml|assertion|claim|session|cert|ssl-client|api-?key/;

/** Returns a string that differs for two users: the default of the option `identify`. */
export function identifyRequest({ headers, url }: Request): string {
  const query = new URL(url).searchParams;
  query.delete(collectionsParameter);
  // The names are in lower case and sorted.
  return JSON.stringify([`${query}`, ...[...headers].filter(([name]) => namesUser.test(name))]);
}
