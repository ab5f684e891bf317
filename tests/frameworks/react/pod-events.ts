import type { IndexValues, Informer } from "listwatch";
import type { Pod } from "listwatch/resources/core/v1";

const encoder = new TextEncoder();

/** Sends a page the current pods, and then each change, for as long as it reads. */
export function podEvents(informer: Informer<Pod, IndexValues>): Response {
  const events = informer.events({ overflow: "coalesce" });
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value: event } = await events.next();
      if (done === true) {
        controller.close();
        return;
      }
      const { key, type } = event;
      const phase = type === "delete" ? undefined : event.object.status.phase;
      controller.enqueue(encoder.encode(`data: ${JSON.stringify({ type, key, phase })}\n\n`));
    },
    async cancel() {
      await events.return?.();
    },
  });
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  return new Response(body, { headers });
}
