import type { MessageData, MessageType } from "./messages.ts";

/** Writes a message without the empty line that ends it, so that an id may follow. */
export function formatMessage<M extends MessageType>(type: M, data: MessageData[M]): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n`;
}

/** Writes the message of an object whose JSON is known. */
export function formatSet(collection: string, key: string, json: string): string {
  const head = JSON.stringify({ collection, key }).slice(0, -1);
  return `event: set\ndata: ${head},"object":${json}}\n`;
}

/** Ends a message that is followed by others. */
export const endOfMessage = "\n";

/** Ends the last message of a complete state, or is a heartbeat alone. */
export function formatPosition(position: string): string {
  return `id: ${position}\n\n`;
}

/** Heartbeat of a stream on which something waits. */
export const comment = ":\n\n";
