import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { CertificateService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const tag = "Certificates";
const access = "admin";

export function certificateRoutes(service: CertificateService): Route[] {
  return [
    route({
      method: "GET",
      path: "/api/v1/certificates",
      summary: "List certificate monitors, those that need attention first",
      tag,
      access,
      query: taken("listQuery"),
      errors: ["unusable_values"],
      responses: { 200: answer("certificateList") },
      handle: async ({ query }) => service.list(query),
    }),
    route({
      method: "POST",
      path: "/api/v1/certificates",
      summary: "Create a certificate monitor; it is checked at once",
      tag,
      access,
      body: taken("certificateBody"),
      errors: ["conflict", "request_timeout"],
      responses: { 201: answer("certificateDetail") },
      handle: async ({ body }) => new Answer(201, await service.create(body)),
    }),
    route({
      method: "PUT",
      path: "/api/v1/certificates:bulk",
      summary: "Create or change many certificate monitors by the caller's keys: all of them, or none",
      tag,
      access,
      bulk: { list: "certificates" },
      body: taken("certificateBulkBody"),
      errors: ["conflict"],
      responses: { 200: answer("certificateBulkAnswer") },
      handle: ({ body }) => service.setUp(body.certificates),
    }),
    route({
      method: "GET",
      path: "/api/v1/certificates/{id}",
      summary: "One certificate with its last check",
      tag,
      access,
      params: taken("certificateParams"),
      responses: { 200: answer("certificateDetail") },
      handle: ({ params }) => service.detail(params.id),
    }),
    route({
      method: "PUT",
      path: "/api/v1/certificates/{id}",
      summary: "Change a certificate monitor; it is checked at once",
      tag,
      access,
      params: taken("certificateParams"),
      body: taken("certificateChange"),
      errors: ["conflict", "request_timeout"],
      responses: { 200: answer("certificateDetail") },
      handle: ({ params, body }) => service.update(params.id, body),
    }),
    route({
      method: "DELETE",
      path: "/api/v1/certificates/{id}",
      summary: "Delete a certificate monitor with its history",
      tag,
      access,
      params: taken("certificateParams"),
      errors: ["conflict"],
      responses: { 204: "application/json" },
      handle: ({ params }) => service.remove(params.id),
    }),
    route({
      method: "GET",
      path: "/api/v1/certificates/{id}/checks",
      summary: "A certificate's checks, newest first",
      tag,
      access,
      params: taken("certificateParams"),
      query: taken("checkQuery"),
      responses: { 200: answer("certificateCheckList") },
      handle: ({ params, query }) => service.checks(params.id, query),
    }),
    route({
      method: "POST",
      path: "/api/v1/certificates/{id}/check",
      summary: "Check a certificate now",
      tag,
      access,
      params: taken("certificateParams"),
      errors: ["conflict", "request_timeout"],
      responses: { 200: answer("certificateDetail") },
      handle: ({ params }) => service.checkNow(params.id),
    }),
  ];
}
