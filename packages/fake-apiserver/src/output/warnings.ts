import type { ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import { byteLength } from "../base/go-text.ts";
import { apiVersionOf, compareVersions } from "../api/api-versions.ts";

/**
 * Adds a Warning header to an answer for each text (RFC 7234 §5.5; 299 is a persistent warning of
 * no particular kind). Texts with line breaks or other control characters cannot be sent and are
 * dropped, like in the real server.
 */
export function addWarnings({ headers }: Response, warnings: readonly string[]): void {
  for (const text of new Set(warnings)) {
    if (!/\p{Cc}/u.test(text)) headers.append("warning", `299 - ${quotedString(text)}`);
  }
}

/** The warning for users of a deprecated version. */
export function deprecationWarning(
  definition: ResourceDefinition,
  served: ServedVersion,
): string | undefined {
  if (!served.deprecated) return undefined;
  if (served.deprecationWarning !== undefined) return served.deprecationWarning;
  const { group, kind, versions } = definition;
  const newer = versions.find(
    ({ deprecated, name }) => !deprecated && compareVersions(name, served.name) < 0,
  );
  const text = `${apiVersionOf(group, served.name)} ${kind} is deprecated`;
  return newer === undefined ? text : `${text}; use ${apiVersionOf(group, newer.name)} ${kind}`;
}

function quotedString(text: string): string {
  return `"${utf8AsCharacters(text).replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
}

// Header values hold one byte per character: UTF-8, as Go writes it.
function utf8AsCharacters(text: string): string {
  if (byteLength(text) === text.length) return text;
  const bytes = new TextEncoder().encode(text);
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
}
