/** The value of an authorization by name and password: RFC 7617, in UTF-8. */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${btoa(utf8Characters(`${username}:${password}`))}`;
}

/** The bytes of a text in UTF-8, as Go sends it: each of them as a character, as `Headers` does. */
export function utf8Characters(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
