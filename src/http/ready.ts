import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Admission, Cors } from "./admission.ts";
import type { Answer, Route } from "./route.ts";
import type { SecurityHeaders } from "./origin-guard.ts";

export interface ReadyLane {
  /** Answers a request for a route with `ready`. `false` leaves it to the framework, as it does every request that is not plain. */
  answers(request: IncomingMessage, response: ServerResponse): boolean;
  /** From now on the framework answers all requests, since it knows how to end them. */
  close(): void;
}

/**
 * Answers from memory without the framework, which would cost as much as the rest of such an answer. A request passes the same admission; a refused
 * one is left to the framework.
 */
export function createReadyLane({
  routes,
  admission,
  securityHeaders,
  cors,
  count,
}: {
  routes: readonly Route[];
  admission: Admission;
  securityHeaders: SecurityHeaders;
  cors: Cors;
  count(route: Route, status: number): void;
}): ReadyLane {
  const lanes = new Map(routes.flatMap((route) => (route.ready === undefined ? [] : [[route.path, route] as const])));
  const heads = new WeakMap<Answer, string[]>();
  let isOpen = lanes.size > 0;

  function headOf(answer: Answer, path: string): string[] {
    let head = heads.get(answer);
    if (head === undefined) {
      const length = Buffer.isBuffer(answer.body) ? { "content-length": String(answer.body.length) } : {};
      head = Object.entries({ ...securityHeaders(path), ...answer.headers, ...length }).flatMap(([name, value]) => [name, String(value)]);
      heads.set(answer, head);
    }
    return head;
  }

  return {
    answers(request, response) {
      const { method, url = "", headers } = request;
      const route = isOpen && method === "GET" ? lanes.get(url) : undefined;
      if (route?.ready === undefined || Object.keys(cors.headers(headers.origin)).length > 0) return false;
      const answer = route.ready(headers);
      if (answer === undefined || !isAdmitted(admission, request, route)) return false;
      response.writeHead(answer.status, [...headOf(answer, url), "x-request-id", randomUUID()]);
      response.end(answer.body);
      count(route, answer.status);
      return true;
    },
    close() {
      isOpen = false;
    },
  };
}

function isAdmitted(admission: Admission, request: IncomingMessage, route: Route): boolean {
  const { method = "", url = "", headers } = request;
  try {
    admission.admit({ method, url, headers, raw: request, clientAddress: "" }, route, undefined);
    return true;
  } catch {
    // The framework refuses it again, with the reason.
    return false;
  }
}
