import { createConnection, type Connection, type ConnectionConfig } from "@listwatch/client";

/** A connection whose requests are answered by a function and kept, with the body that they had. */
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

/** What a promise is rejected with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("Expected a rejection, got none");
}
