/**
 * Escapes the characters that have a meaning in a field selector: apimachinery
 * `fields.EscapeValue`.
 */
export function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, String.raw`\$&`);
}
