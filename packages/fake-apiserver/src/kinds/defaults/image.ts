const pathPart = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const hostPart = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const host = `(?:${hostPart}(?:\\.${hostPart})*|\\[(?:[a-fA-F0-9:]+)\\])(?::[0-9]+)?`;
const digest = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
const reference = new RegExp(
  `^((?:${host}/)?${pathPart}(?:/${pathPart})*)(?::([\\w][\\w.-]{0,127}))?(?:@(${digest}))?$`,
);
const maxNameLength = 255;
const identifier = /^[a-f0-9]{64}$/;
// The lengths of digests in hexadecimal digits, by their algorithm.
const digestLengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/**
 * Whether an image is the latest of its name: by its tag, or because it has neither tag nor digest.
 * An invalid reference has no tag (k8s.io/kubernetes pkg/util/parsers,
 * github.com/distribution/reference).
 */
export function isLatestImage(image: string): boolean {
  if (identifier.test(image)) return false;
  const [, name, tag, digested] = reference.exec(withHost(image)) ?? [];
  if (name === undefined || name.length > maxNameLength) return false;
  if (digested !== undefined) return isDigest(digested) && tag === "latest";
  return (tag ?? "latest") === "latest";
}

// An image of the default registry is written without its host.
function withHost(image: string): string {
  const slash = image.indexOf("/");
  const first = image.slice(0, slash);
  const isHost = /[.:]/.test(first) || first === "localhost" || first.toLowerCase() !== first;
  if (slash >= 0 && isHost) return image;
  return `docker.io/${slash < 0 ? "library/" : ""}${image}`;
}

function isDigest(text: string): boolean {
  const [algorithm = "", hex = ""] = text.split(":");
  return digestLengths[algorithm] === hex.length && hex.toLowerCase() === hex;
}
