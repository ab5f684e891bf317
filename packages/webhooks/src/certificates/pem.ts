const block = /-----BEGIN CERTIFICATE-----([\sA-Za-z0-9+/=]+)-----END CERTIFICATE-----/g;

/** The certificates in a PEM text, in one form, so that equal ones are equal strings. */
export function certificatesIn(pem: string): readonly string[] {
  const found = new Set<string>();
  for (const [, body] of pem.matchAll(block)) {
    const lines = body!.replaceAll(/\s/g, "").match(/.{1,64}/g) ?? [];
    found.add(
      ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    );
  }
  return [...found];
}

/** Whether two lists have the same elements, in any order. */
export function haveSameElements(one: readonly string[], other: readonly string[]): boolean {
  return includesAll(one, other) && includesAll(other, one);
}

/** Whether a list has all elements of another one. */
export function includesAll(list: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((each) => list.includes(each));
}

/** Decodes base64; `""` for other text, which no certificate of ours is. */
export function decodeBase64(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}
