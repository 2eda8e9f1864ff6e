import assert from "node:assert/strict";
import { it } from "node:test";
import { z } from "zod";
import { SPARKLINE_CHECKS } from "../../contract/endpoint.ts";
import { httpCheck } from "../../../test/support/endpoints.ts";
import { createTestServer } from "../../../test/support/http-server.ts";
import { chanceOf } from "../../../test/support/seed.ts";
import { route } from "../../http/route.ts";
import { toCheck } from "./checks/head.ts";
import { notChecked } from "./endpoint.ts";
import { createProjection } from "./projection.ts";
import { countCheck, newTally } from "./tally.ts";

const COUNT = 1000;
const NOON = new Date("2026-03-01T12:00:00Z");
const MOST_BYTES = 60_000;
const about = { method: "GET", summary: "", tag: "", access: "open", responses: { 200: z.unknown() } } as const;

it("a thousand endpoints come in 60 kB, and their last response times in as many", async (context) => {
  const chance = chanceOf(context);
  const projection = createProjection();
  for (let id = 1; id <= COUNT; id += 1) {
    const tally = newTally();
    // From 2 to 200 ms, each around its own time.
    const usual = 2 * 100 ** chance.next();
    for (let round = 0; round < SPARKLINE_CHECKS; round += 1) {
      const responseTimeMs = usual * (0.8 + 0.4 * chance.next());
      const result = { success: true, observed: true, responseTimeMs, httpStatus: 200, failureClass: null, error: null, certificate: null };
      countCheck(tally, toCheck(result, new Date(NOON.getTime() + round * 30_000)), 60_000);
    }
    const at = new Date(NOON.getTime() - chance.below(86_400_000));
    const state = {
      ...notChecked(at),
      status: "up" as const,
      lastCheckAt: at,
      lastObservedAt: at,
      lastResponseTimeMs: Math.round(usual * 10) / 10,
      lastHttpStatus: 200,
    };
    const container = { externalId: String(id), id, name: `shop-${id}`, labels: {}, running: true };
    projection.put(
      {
        id,
        agentId: null,
        container,
        labelKey: "service.endpoint.http",
        name: `shop-${id}`,
        callerKey: null,
        check: httpCheck({ target: `http://shop-${id}.example.com:8080/health` }),
        alerts: { severity: "critical", channels: [], tags: [] },
        paused: false,
        inactiveSince: null,
        createdAt: at,
        updatedAt: at,
        state,
      },
      tally,
    );
  }
  const now = new Date(NOON.getTime() + SPARKLINE_CHECKS * 30_000);
  const { fastify } = createTestServer({
    routes: [
      route({ ...about, path: "/list", handle: () => projection.list({ inactive: false }, now) }),
      route({ ...about, path: "/lines", handle: () => projection.sparklines(undefined, now) }),
    ],
  });
  for (const url of ["/list", "/lines"]) {
    const { rawPayload, headers } = await fastify.inject({ url, headers: { "accept-encoding": "gzip, deflate, br, zstd" } });
    assert.equal(headers["content-encoding"], "zstd");
    assert.ok(rawPayload.length <= MOST_BYTES, `${url}: ${rawPayload.length} bytes`);
  }
});
