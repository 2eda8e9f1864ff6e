import { schemasOf } from "../../http/later-schemas.ts";
import { Answer, route, type Route } from "../../http/route.ts";
import type { CertificateService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const certificates = { tag: "Certificates", access: "admin" } as const;

export function certificateRoutes(service: CertificateService): Route[] {
  return [
    route({
      ...certificates,
      method: "GET",
      path: "/api/v1/certificates",
      summary: "List certificate monitors, those that need attention first",
      query: taken("listQuery"),
      errors: ["unusable_values"],
      responses: { 200: answer("certificateList") },
      handle: async ({ query }) => service.list(query),
    }),
    route({
      ...certificates,
      method: "POST",
      path: "/api/v1/certificates",
      summary: "Create a certificate monitor; it is checked at once",
      body: taken("certificateBody"),
      errors: ["conflict", "request_timeout"],
      responses: { 201: answer("certificateDetail") },
      handle: async ({ body }) => new Answer(201, await service.create(body)),
    }),
    route({
      ...certificates,
      method: "PUT",
      path: "/api/v1/certificates:bulk",
      summary: "Create or change many certificate monitors by the caller's keys: all of them, or none",
      bulk: { list: "certificates" },
      body: taken("certificateBulkBody"),
      errors: ["conflict"],
      responses: { 200: answer("certificateBulkAnswer") },
      handle: ({ body }) => service.setUp(body.certificates),
    }),
    route({
      ...certificates,
      method: "GET",
      path: "/api/v1/certificates/{id}",
      summary: "One certificate with its last check",
      params: taken("certificateParams"),
      responses: { 200: answer("certificateDetail") },
      handle: ({ params }) => service.detail(params.id),
    }),
    route({
      ...certificates,
      method: "PUT",
      path: "/api/v1/certificates/{id}",
      summary: "Change a certificate monitor; it is checked at once",
      params: taken("certificateParams"),
      body: taken("certificateChange"),
      errors: ["conflict", "request_timeout"],
      responses: { 200: answer("certificateDetail") },
      handle: ({ params, body }) => service.update(params.id, body),
    }),
    route({
      ...certificates,
      method: "DELETE",
      path: "/api/v1/certificates/{id}",
      summary: "Delete a certificate monitor with its history",
      params: taken("certificateParams"),
      errors: ["conflict"],
      responses: { 204: "application/json" },
      handle: ({ params }) => service.remove(params.id),
    }),
    route({
      ...certificates,
      method: "GET",
      path: "/api/v1/certificates/{id}/checks",
      summary: "A certificate's checks, newest first",
      params: taken("certificateParams"),
      query: taken("checkQuery"),
      responses: { 200: answer("certificateCheckList") },
      handle: ({ params, query }) => service.checks(params.id, query),
    }),
    route({
      ...certificates,
      method: "POST",
      path: "/api/v1/certificates/{id}/check",
      summary: "Check a certificate now",
      params: taken("certificateParams"),
      errors: ["conflict", "request_timeout"],
      responses: { 200: answer("certificateDetail") },
      handle: ({ params }) => service.checkNow(params.id),
    }),
  ];
}
