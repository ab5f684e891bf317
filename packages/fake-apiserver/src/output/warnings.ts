import type { ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import { byteLength } from "../base/go-text.ts";
import { apiVersionOf, compareVersions } from "../api/api-versions.ts";

// k8s.io/apiserver pkg/endpoints/filters/warning.go: `truncateAtTotalRunes`, `truncateItemRunes`.
const mostCharacters = 4096;
const mostCharactersEach = 256;

/**
 * Adds a Warning header to an answer for each text (RFC 7234 §5.5; 299 is a persistent warning of
 * no particular kind). Texts with line breaks or other control characters cannot be sent and are
 * dropped, like in the real server. Texts of more than 4,096 characters in all are cut to 256 each,
 * and no more are added once the cut ones have as many.
 */
export function addWarnings({ headers }: Response, warnings: readonly string[]): void {
  const texts = [...new Set(warnings)].filter((text) => text !== "" && !/\p{Cc}/u.test(text));
  const characters = texts.map((text) => Array.from(text));
  const total = characters.reduce((sum, { length }) => sum + length, 0);
  let left = mostCharacters;
  for (const [index, text] of texts.entries()) {
    const shown =
      total > mostCharacters
        ? (characters[index]?.slice(0, mostCharactersEach) ?? []).join("")
        : text;
    if (left <= 0) return;
    left -= Math.min(characters[index]?.length ?? 0, mostCharactersEach);
    headers.append("warning", `299 - ${quotedString(shown)}`);
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
