import { type LaterSchema, schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { Policies } from "./policies.ts";
import type { RunReader } from "./run-reader.ts";
import type { Channels } from "./seams.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const gated = { tag: "Escalation", access: "admin", capability: "escalation" } as const;
const all = { ...gated, path: "/api/v1/escalation-policies" } as const;
const one = { ...gated, path: "/api/v1/escalation-policies/{id}", params: taken("byId") } as const;

export function escalationRoutes({
  policies,
  runs,
  channels,
  remove,
}: {
  policies: Omit<Policies, "remove">;
  runs: RunReader;
  channels: Channels;
  remove: (id: number) => Promise<void>;
}): Route[] {
  /** Checks that the channels in the levels of a body exist, and reports the others together with all other faults. */
  const withKnownChannels = <Body extends { levels?: { channel_ids: number[] }[] | undefined }>(
    body: LaterSchema<Body>,
  ): LaterSchema<Body> =>
    body.with((schema) =>
      schema.superRefine(({ levels = [] }, context) => {
        levels.forEach((level, index) => {
          level.channel_ids.forEach((id, place) => {
            if (channels.get(id) !== undefined) return;
            context.addIssue({ code: "custom", path: ["levels", index, "channel_ids", place], message: `There is no channel ${id}` });
          });
        });
      }),
    );

  return [
    route({
      ...all,
      method: "GET",
      summary: "List escalation policies, in the order in which they were made",
      responses: { 200: answer("policyList") },
      handle: () => policies.list(),
    }),
    route({
      ...all,
      method: "POST",
      summary: "Make an escalation policy",
      body: withKnownChannels(taken("createBody")),
      errors: ["conflict"],
      responses: { 201: answer("policy") },
      handle: async ({ body }) => new Answer(201, await policies.create(body)),
    }),
    route({
      ...all,
      path: `${all.path}/overlap-probe`,
      method: "POST",
      unaudited: "it changes nothing",
      summary: "Which active policies the same alerts would start, before a policy is saved",
      body: withKnownChannels(taken("probeBody")),
      responses: { 200: answer("overlaps") },
      handle: ({ body }) => policies.overlaps(body),
    }),
    route({
      ...one,
      method: "GET",
      summary: "One escalation policy",
      responses: { 200: answer("policy") },
      handle: ({ params }) => policies.get(params.id),
    }),
    route({
      ...one,
      method: "PUT",
      summary: "Change an escalation policy; what is left out stays as it is, and runs in progress keep their plan",
      body: withKnownChannels(taken("updateBody")),
      responses: { 200: answer("policy") },
      handle: ({ params, body }) => policies.update(params.id, body),
    }),
    route({
      ...one,
      path: `${one.path}/active`,
      method: "PATCH",
      summary: "Switch an escalation policy on or off; runs in progress continue",
      body: taken("activeBody"),
      responses: { 200: answer("policy") },
      handle: ({ params, body }) => policies.update(params.id, body),
    }),
    route({
      ...one,
      method: "DELETE",
      summary: "Delete an escalation policy; its runs in progress end",
      responses: { 204: answer("policy") },
      handle: ({ params }) => remove(params.id),
    }),
    route({
      ...one,
      path: `${one.path}/runs`,
      method: "GET",
      summary: "The runs of a policy, newest first",
      query: taken("pageQuery"),
      responses: { 200: answer("runPage") },
      handle: ({ params, query }) => runs.ofPolicy(params.id, query),
    }),
    route({
      ...gated,
      path: "/api/v1/alerts/{id}/escalation-runs",
      params: taken("byId"),
      method: "GET",
      summary: "The escalation runs of an alert, in the order in which they began",
      responses: { 200: answer("runsOfAlert") },
      handle: ({ params }) => runs.ofAlert(params.id),
    }),
    route({
      ...gated,
      path: "/api/v1/escalation-runs/{id}",
      params: taken("byId"),
      method: "GET",
      summary: "One escalation run, with the notifications it sent",
      responses: { 200: answer("runDetail") },
      handle: ({ params }) => runs.detail(params.id),
    }),
  ];
}
