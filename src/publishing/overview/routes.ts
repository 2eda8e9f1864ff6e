import { schemasOf } from "../../http/later-schemas.ts";
import { route, type Route } from "../../http/route.ts";
import type { AlertCase } from "../assistant/index.ts";
import type { AlertContexts, PastChangeList, StripList, Topology, UsageAt } from "./answers.ts";
import type { MomentQuery, PastChangesQuery, StripQuery, TopologyQuery, UsageQuery } from "./api.ts";
import type { Moment } from "./moment/answers.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));
const momentAnswer = schemasOf(() => import("./moment/answers.ts"));

const OVERVIEW = { method: "GET", tag: "Overview", access: "admin" } as const;
const ALERTS = { ...OVERVIEW, tag: "Alerts" } as const;

export interface OverviewReaders {
  contexts(): Promise<AlertContexts>;
  changes(query: PastChangesQuery): Promise<PastChangeList>;
  momentAt(query: MomentQuery): Promise<Moment>;
  usageAt(query: UsageQuery): Promise<UsageAt>;
  strips(query: StripQuery): Promise<StripList>;
  topology(query: TopologyQuery): Topology;
  caseOf(alertId: number): Promise<AlertCase>;
}

export function overviewRoutes({ contexts, changes, momentAt, usageAt, strips, topology, caseOf }: OverviewReaders): Route[] {
  return [
    route({
      ...ALERTS,
      path: "/api/v1/alerts/active/context",
      summary: "The last log line of active alerts, and what changed just before each",
      responses: { 200: answer("alertContexts") },
      handle: () => contexts(),
    }),
    route({
      ...OVERVIEW,
      path: "/api/v1/overview/changes",
      summary: "What changed between two moments: states, images, alerts, certificates, updates, agents, incidents",
      query: taken("pastChangesQuery"),
      errors: ["unusable_values"],
      responses: { 200: answer("pastChanges") },
      handle: ({ query }) => changes(query),
    }),
    route({
      ...OVERVIEW,
      path: "/api/v1/overview/moment",
      summary:
        "How containers, endpoints, heartbeats and certificates were at a moment of the last 90 days, and which alerts were active then",
      query: taken("momentQuery"),
      errors: ["unusable_values"],
      responses: { 200: momentAnswer("moment") },
      handle: ({ query }) => momentAt(query),
    }),
    route({
      ...OVERVIEW,
      path: "/api/v1/overview/moment/usage",
      summary: "What containers used at a moment, as far back as the edition shows it",
      query: taken("usageQuery"),
      errors: ["unusable_values"],
      responses: { 200: answer("usageAt") },
      handle: ({ query }) => usageAt(query),
    }),
    route({
      ...OVERVIEW,
      path: "/api/v1/overview/strips",
      summary: "How each container, endpoint and heartbeat was within the last 24 hours, in steps",
      query: taken("stripQuery"),
      errors: ["unusable_values"],
      responses: { 200: answer("stripList") },
      handle: ({ query }) => strips(query),
    }),
    route({
      ...OVERVIEW,
      path: "/api/v1/topology",
      summary: "Containers with what they depend on, what checks them, and where they can be reached",
      query: taken("topologyQuery"),
      responses: { 200: answer("topology") },
      handle: ({ query }) => topology(query),
    }),
    route({
      ...ALERTS,
      path: "/api/v1/alerts/{id}/case",
      summary:
        "Why an alert was raised, from records: cause, log, metrics, what changed in the hour before, earlier times, next escalation",
      params: taken("caseParams"),
      responses: { 200: answer("alertCase") },
      handle: ({ params }) => caseOf(params.id),
    }),
  ];
}
