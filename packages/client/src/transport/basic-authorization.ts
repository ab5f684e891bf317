/** Returns the value of an authorization by name and password: RFC 7617, in UTF-8. */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${btoa(utf8Characters(`${username}:${password}`))}`;
}

/** Encodes a string as UTF-8, like Go, with each byte as a character, like `Headers`. */
export function utf8Characters(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
