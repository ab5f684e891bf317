import type { Random } from "@listwatch/core-fifo";

/** Maximum length and form of an object's name (apimachinery `IsDNS1123Subdomain`). */
const maxNameLength = 253;
const subdomain = /^[a-z\d](?:[-a-z\d]*[a-z\d])?(?:\.[a-z\d](?:[-a-z\d]*[a-z\d])?)*$/;

/**
 * Returns the name of an event: the name of its object with a suffix or, if that is not a valid
 * name, a generated one (client-go `GenerateEventName`, tools/internal/events).
 */
export function eventNameFor(objectName: string, suffix: string, random: Random): string {
  const name = `${objectName}.${suffix}`;
  return name.length <= maxNameLength && subdomain.test(name) ? name : generateEventName(random);
}

/** Returns a random UUID (RFC 9562, version 4). */
export function generateEventName(random: Random): string {
  return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replaceAll(/[xy]/g, (letter) => {
    const digit = Math.floor(random() * 16);
    return (letter === "y" ? (digit % 4) + 8 : digit).toString(16);
  });
}
