import type { AuditedOperation } from "../../src/http/audit.ts";
import type { Route } from "../../src/http/route.ts";
import type { Fault } from "../../src/platform/errors.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { createTestServer } from "./http-server.ts";

export interface BulkReply {
  status: number;
  // What a test expects of it is compared as a whole.
  body: Record<string, unknown> & { error?: { code: string; message: string; details?: Fault[] } };
}

/** A server of some routes that keeps what it audits, asked for a bulk operation on a kind of record. */
export function bulkServer({ routes, list, clock }: { routes: readonly Route[]; list: string; clock: Clock }) {
  const audited: AuditedOperation[] = [];
  const server = createTestServer({
    routes,
    clock,
    audit: {
      async record(...operations) {
        audited.push(...operations);
      },
    },
  });
  const url = `/api/v1/${list}:bulk`;
  return {
    audited,
    server,
    async put(items: readonly object[]): Promise<BulkReply> {
      const answer = await server.fastify.inject({ method: "PUT", url, payload: { [list]: items } });
      return { status: answer.statusCode, body: answer.json() };
    },
    /** The mistakes that the answer names: where, of which item. */
    faultsOf: ({ body }: BulkReply): string[] => (body.error?.details ?? []).map(({ path, key }) => `${path} ${key ?? ""}`.trim()),
  };
}
