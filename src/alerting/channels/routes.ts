import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { Vapid } from "./push/index.ts";
import type { ChannelService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const all = { path: "/api/v1/channels", tag: "Channels, rules, triggers, silences, webhooks", access: "admin" } as const;

export function channelRoutes(service: ChannelService, vapid: Pick<Vapid, "publicKey">): Route[] {
  const one = { ...all, path: "/api/v1/channels/{id}", params: taken("channelParams") };
  return [
    route({
      ...all,
      method: "GET",
      summary: "List notification channels, by name",
      responses: { 200: answer("channelList") },
      handle: () => service.list(),
    }),
    route({
      ...all,
      method: "POST",
      summary: "Make a channel; slack, teams and email need the Pro edition",
      body: taken("createBody"),
      errors: ["EDITION_REQUIRED", "https_required", "private_address_refused", "duplicate_name", "conflict"],
      responses: { 201: answer("channel") },
      handle: async ({ body }) => new Answer(201, await service.create(body)),
    }),
    route({
      ...all,
      path: `${all.path}/web-push-key`,
      method: "GET",
      summary: "The key that a browser subscribes with, for a channel of the type web_push",
      responses: { 200: answer("pushKey") },
      handle: async () => ({ public_key: await vapid.publicKey() }),
    }),
    route({
      ...one,
      method: "GET",
      summary: "One channel",
      responses: { 200: answer("channel") },
      handle: ({ params }) => service.get(params.id),
    }),
    route({
      ...one,
      method: "PUT",
      summary: "Change a channel; what is left out or masked stays as it is",
      body: taken("updateBody"),
      errors: ["EDITION_REQUIRED", "https_required", "private_address_refused", "duplicate_name", "conflict"],
      responses: { 200: answer("channel") },
      handle: ({ params, body }) => service.update(params.id, body),
    }),
    route({
      ...one,
      method: "DELETE",
      summary: "Delete a channel that nothing uses, with its rules",
      errors: ["conflict"],
      responses: { 204: answer("channel") },
      handle: ({ params }) => service.remove(params.id),
    }),
    route({
      ...one,
      path: `${one.path}/test`,
      method: "POST",
      summary: "Send a test message and return the receiver's answer",
      limit: { count: 20, windowSeconds: 60 },
      // An attempt may take as long as a request may.
      stream: true,
      responses: { 200: answer("testResult") },
      handle: ({ params, signal }) => service.test(params.id, signal),
    }),
    route({
      ...one,
      path: `${one.path}/rules`,
      method: "POST",
      summary: "Add a routing rule: alerts that match it go to this channel",
      body: taken("ruleBody"),
      errors: ["conflict"],
      responses: { 201: answer("rule") },
      handle: async ({ params, body }) => new Answer(201, await service.addRule(params.id, body)),
    }),
    route({
      ...all,
      path: `${one.path}/rules/{rule_id}`,
      method: "DELETE",
      params: taken("ruleParams"),
      summary: "Delete a routing rule",
      responses: { 204: answer("rule") },
      handle: ({ params }) => service.removeRule(params.id, params.rule_id),
    }),
  ];
}
