/** Encodes bytes as PEM (RFC 7468). */
export function encodePem(label: string, bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte));
  const lines = btoa(binary.join("")).match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
