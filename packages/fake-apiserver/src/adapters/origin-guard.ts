import { ApiError } from "../api/api-error.ts";
import type { FetchHandler } from "../api/request.ts";
import { statusOf } from "../api/status.ts";
import { isAuthority } from "./request-target.ts";

/** The pages and names that may use a listener. */
export interface OriginRules {
  /**
   * The address that is listened on, as the system names it: there are many spellings of the
   * loopback address, and names of it.
   */
  readonly host: () => string;
  /** Further names that a loopback listener answers to. */
  readonly allowedHosts: readonly string[];
  /** Origins of web pages that may use the server; `*` stands for all. */
  readonly cors: readonly string[];
}

// k8s.io/apiserver, filters/cors.go.
const corsHeaders: Readonly<Record<string, string>> = {
  "access-control-allow-methods": "POST, GET, OPTIONS, PUT, DELETE, PATCH",
  "access-control-allow-headers":
    "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since",
  "access-control-expose-headers": "Date, Warning, Audit-Id, Retry-After",
  vary: "Origin",
};

// They are for proxies, and some runtimes have no Request with such a method.
const refusedMethods: ReadonlySet<string> = new Set(["CONNECT", "TRACE"]);

/**
 * Keeps web pages from a server that runs on the machine of their reader.
 *
 * A page may send requests to any address. What comes from another origin says so in the header
 * `Origin`, and is refused unless the origin is allowed. A page whose own name has been pointed to
 * the loopback address (DNS rebinding) is of the same origin, but asks for that name, so a loopback
 * listener answers to names of the loopback address only. Other listeners answer to all names.
 */
export function guardOrigins(handler: FetchHandler, rules: OriginRules): FetchHandler {
  const known = new Set(rules.allowedHosts.map((name) => name.toLowerCase()));
  const isServed = (hostname: string): boolean =>
    !isLoopback(rules.host()) || isLoopback(hostname) || known.has(hostname);
  return {
    fetch: async (request) => {
      if (refusedMethods.has(request.method)) return new Response(null, { status: 405 });
      const host = request.headers.get("host");
      // Deno hands over what it cannot take apart, too.
      const isReadable = URL.canParse(request.url) && (host === null || isAuthority(host));
      if (!isReadable) return new Response(null, { status: 400 });
      const { hostname, origin: own } = new URL(request.url);
      const name = withoutDot(hostname);
      if (!isServed(name)) {
        return refused(
          `Host ${JSON.stringify(name)} is not served: expected localhost or a loopback address`,
        );
      }
      const origin = request.headers.get("origin");
      if (origin === null || origin === own) return handler.fetch(request);
      if (!rules.cors.includes("*") && !rules.cors.includes(origin)) {
        return refused(`Origin ${JSON.stringify(origin)} is not allowed`);
      }
      if (request.method !== "OPTIONS") return withCors(await handler.fetch(request), origin);
      const answer = withCors(new Response(null, { status: 204 }), origin);
      // WICG Private Network Access: a page of another network asks for it.
      if (request.headers.get("access-control-request-private-network") === "true") {
        answer.headers.set("access-control-allow-private-network", "true");
      }
      return answer;
    },
  };
}

/** True for `localhost`, names below it, 127.0.0.0/8 and ::1. */
export function isLoopback(host: string): boolean {
  const name = withoutDot(host.toLowerCase()).replace(/^\[(.*)\]$/, "$1");
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "::1" ||
    /^::ffff:(?:127\.|7f[0-9a-f]{2}:)/.test(name) ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
  );
}

function withoutDot(name: string): string {
  return name.endsWith(".") ? name.slice(0, -1) : name;
}

function withCors(response: Response, origin: string): Response {
  const answer = new Response(response.body, response);
  answer.headers.set("access-control-allow-origin", origin);
  for (const [name, value] of Object.entries(corsHeaders)) answer.headers.append(name, value);
  return answer;
}

function refused(message: string): Response {
  const status = statusOf(new ApiError({ code: 403, reason: "Forbidden", message }));
  return Response.json(status, { status: 403 });
}
