import type { FastifyReply } from "fastify";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import type { AdminAccess } from "./admin-access.ts";
import { Answer, route } from "./route.ts";
import type { Route } from "./route.ts";

export interface Metrics {
  readonly registry: Registry;
  /** Counts an answered request. Labels come from route templates, never from addresses, so their number is bounded. */
  observe(reply: FastifyReply, definition: Route | undefined): void;
  /** Counts a request that was answered from memory, see ready.ts. */
  countReady(definition: Route, status: number): void;
  readonly route: Route;
}

/** The metrics of `/metrics`: the process, requests by route and status, and open event streams. */
export function createMetrics({
  countStreams,
  adminAccess,
}: {
  countStreams: () => number;
  adminAccess: Pick<AdminAccess, "counts"> | undefined;
}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 2000 });
  const durations = new Histogram({
    name: "binnacle_http_request_duration_seconds",
    help: "Time to answer HTTP requests; streams are not included.",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 5, 10],
    registers: [registry],
  });
  registry.registerMetric(
    new Gauge({
      name: "binnacle_http_event_streams",
      help: "Event streams open now.",
      registers: [],
      collect() {
        this.set(countStreams());
      },
    }),
  );

  registry.registerMetric(
    new Counter({
      name: "binnacle_wrong_admin_tokens_total",
      help: "Wrong admin tokens, by where they were sent: as a bearer token, in the login form, or when an assistant was let in.",
      labelNames: ["source"],
      registers: [],
      collect() {
        this.reset();
        for (const [source, count] of Object.entries(adminAccess?.counts().failures ?? {})) this.inc({ source }, count);
      },
    }),
  );
  registry.registerMetric(
    new Counter({
      name: "binnacle_admin_lockouts_total",
      help: "How often an address was locked out for wrong admin tokens.",
      registers: [],
      collect() {
        this.reset();
        this.inc(adminAccess?.counts().lockouts ?? 0);
      },
    }),
  );

  /** Counted here, since the library's counter would take as long as the answer itself. */
  const ready = new Map<string, { labels: { route: string; status: number }; count: number }>();
  registry.registerMetric(
    new Counter({
      name: "binnacle_http_ready_answers_total",
      help: "Requests answered from memory; they are in no other figure.",
      labelNames: ["route", "status"],
      registers: [],
      collect() {
        this.reset();
        for (const { labels, count } of ready.values()) this.inc(labels, count);
      },
    }),
  );

  return {
    registry,
    countReady({ path }, status) {
      const key = `${status} ${path}`;
      const counted = ready.get(key);
      if (counted === undefined) ready.set(key, { labels: { route: path, status }, count: 1 });
      else counted.count += 1;
    },
    observe(reply, definition) {
      if (definition?.stream === true) return;
      durations.observe(
        { method: definition?.method ?? "other", route: definition?.path ?? "other", status: reply.statusCode },
        reply.elapsedTime / 1000,
      );
    },
    route: route({
      method: "GET",
      path: "/metrics",
      summary: "Metrics in the Prometheus text format",
      tag: "Meta",
      access: "admin",
      answersProbes: true,
      responses: { 200: "text/plain" },
      handle: async () => new Answer(200, await registry.metrics(), { "content-type": registry.contentType }),
    }),
  };
}
