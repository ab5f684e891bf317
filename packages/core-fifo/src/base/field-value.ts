/**
 * Puts backslashes before the characters that mean something in a field selector: apimachinery
 * `fields.EscapeValue`.
 */
export function escapeFieldValue(value: string): string {
  return value.replaceAll(/[\\,=]/g, String.raw`\$&`);
}
