import { schemasOf } from "../../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../../http/route.ts";
import type { ComponentService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const admin = { tag: "Status page administration", access: "admin" } as const;

export function componentRoutes(service: ComponentService): Route[] {
  const groups = { ...admin, path: "/api/v1/status/groups" } as const;
  const oneGroup = { ...admin, path: "/api/v1/status/groups/{id}", params: taken("params") } as const;
  const components = { ...admin, path: "/api/v1/status/components" } as const;
  const oneComponent = { ...admin, path: "/api/v1/status/components/{id}", params: taken("params") } as const;
  return [
    route({
      ...groups,
      method: "GET",
      summary: "List the groups of the status page, in its order",
      responses: { 200: answer("groupList") },
      handle: () => service.groups(),
    }),
    route({
      ...groups,
      method: "POST",
      summary: "Make a group of components",
      body: taken("groupBody"),
      errors: ["duplicate_name", "conflict"],
      responses: { 201: answer("group") },
      handle: async ({ body }) => new Answer(201, await service.createGroup(body)),
    }),
    route({
      ...oneGroup,
      method: "PUT",
      summary: "Change a group; what is left out stays as it is",
      body: taken("groupUpdate"),
      errors: ["duplicate_name"],
      responses: { 200: answer("group") },
      handle: ({ params: { id }, body }) => service.updateGroup(id, body),
    }),
    route({
      ...oneGroup,
      method: "DELETE",
      summary: "Delete a group; its components stay, without one",
      responses: { 204: answer("group") },
      handle: ({ params: { id } }) => service.removeGroup(id),
    }),
    route({
      ...components,
      method: "GET",
      summary: "List the components of the status page, in its order",
      responses: { 200: answer("componentList") },
      handle: () => service.components(),
    }),
    route({
      ...components,
      method: "POST",
      summary: "Show a container, endpoint, heartbeat, certificate, group or host on the status page",
      body: taken("componentBody"),
      errors: ["conflict"],
      responses: { 201: answer("component") },
      handle: async ({ body }) => new Answer(201, await service.create(body)),
    }),
    route({
      ...oneComponent,
      method: "PUT",
      summary: "Change a component; what is left out stays as it is",
      body: taken("componentUpdate"),
      responses: { 200: answer("component") },
      handle: ({ params: { id }, body }) => service.update(id, body),
    }),
    route({
      ...oneComponent,
      method: "DELETE",
      summary: "Take a component off the status page, with its history",
      responses: { 204: answer("component") },
      handle: ({ params: { id } }) => service.remove(id),
    }),
    route({
      ...admin,
      path: "/api/v1/status/order",
      method: "PUT",
      summary: "Put all groups and components of the status page in order at once",
      body: taken("order"),
      responses: { 200: answer("arrangement") },
      handle: ({ body }) => service.arrange(body),
    }),
  ];
}
