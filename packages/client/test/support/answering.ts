import { createConnection, type Connection, type ConnectionConfig } from "@listwatch/client";

/** A connection whose requests are answered by a function and recorded with their bodies. */
export function answering(
  answer: (request: Request) => Response | Promise<Response>,
  config: Partial<ConnectionConfig> = {},
): { readonly connection: Connection; readonly requests: Request[] } {
  const requests: Request[] = [];
  const connection = createConnection({
    server: "http://server",
    fetch: async (request) => {
      requests.push(request.clone());
      return answer(request);
    },
    ...config,
  });
  return { connection, requests };
}

export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("Expected a rejection, got none");
}
