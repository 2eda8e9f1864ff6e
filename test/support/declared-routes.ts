import assert from "node:assert/strict";
import { z } from "zod";
import { LaterSchema } from "../../src/http/later-schemas.ts";
import type { HttpServer } from "../../src/http/server.ts";
import type { Method, Route } from "../../src/http/route.ts";

export interface Asked {
  status: number;
  body: Record<string, unknown>;
}

/** Asks routes as a client does, and holds what they answer against what they declare. */
export interface DeclaredRoutes {
  ask(method: Method, url: string, body?: unknown): Promise<Asked>;
  /** The same, which must succeed with a declared status and shape, and nothing undeclared in it. */
  check(method: Method, path: string, values?: Record<string, unknown>, body?: unknown): Promise<Record<string, unknown>>;
}

/** `{id}` of a path is filled from the values; the others are its query. */
export function declaredRoutes(server: HttpServer, routes: readonly Route[]): DeclaredRoutes {
  async function ask(method: Method, url: string, body?: unknown): Promise<Asked> {
    const payload = body === undefined ? {} : { payload: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const answer = await server.fastify.inject({ method, url, ...payload });
    return { status: answer.statusCode, body: answer.body === "" ? {} : z.record(z.string(), z.unknown()).parse(answer.json()) };
  }

  return {
    ask,
    async check(method, path, { id, ...query } = {}, body) {
      const search = new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]));
      const answer = await ask(method, `${path.replace("{id}", String(id))}?${search}`, body);
      const answered = routes.find((route) => route.method === method && route.path === path)?.responses[answer.status];
      assert.ok(answered !== undefined, `${answer.status} ${JSON.stringify(answer.body)}`);
      if (answer.status === 204) return {};
      const declared = answered instanceof LaterSchema ? await answered.load() : answered;
      assert.ok(declared instanceof z.ZodObject);
      assert.deepEqual(declared.strict().parse(answer.body), answer.body);
      return answer.body;
    },
  };
}
