import { schemasOf } from "../../http/later-schemas.ts";
import { route, type Route } from "../../http/route.ts";

import type { KubernetesService } from "./service.ts";

const taken = schemasOf(() => import("./api.ts"));
const answer = schemasOf(() => import("./answers.ts"));

const kubernetes = { method: "GET", tag: "Kubernetes", access: "admin", errors: ["conflict", "unusable_values"] } as const;
const PATH = "/api/v1/kubernetes";

export function kubernetesRoutes(service: KubernetesService): Route[] {
  return [
    route({
      ...kubernetes,
      path: `${PATH}/namespaces`,
      summary: "List the namespaces of clusters, with what is in each",
      query: taken("namespaceQuery"),
      responses: { 200: answer("namespaceList") },
      handle: ({ query }) => service.namespaces(query),
    }),
    route({
      ...kubernetes,
      path: `${PATH}/workloads`,
      summary: "List the workloads of clusters, by group and name",
      query: taken("workloadQuery"),
      responses: { 200: answer("workloadList") },
      handle: ({ query }) => service.workloads(query),
    }),
    route({
      ...kubernetes,
      path: `${PATH}/workloads/{id}`,
      summary: "One workload with its pods, what leads to it, what it uses, and what happened to it",
      params: taken("workloadParams"),
      errors: ["conflict"],
      responses: { 200: answer("workloadDetail") },
      handle: ({ params }) => service.workload(params.id),
    }),
    route({
      ...kubernetes,
      path: `${PATH}/pods`,
      summary: "List the pods of clusters, by namespace and name",
      query: taken("podQuery"),
      responses: { 200: answer("podList") },
      handle: ({ query }) => service.pods(query),
    }),
    route({
      ...kubernetes,
      path: `${PATH}/nodes`,
      summary: "List the nodes of clusters: what each has, what its pods request and use",
      query: taken("nodeQuery"),
      responses: { 200: answer("nodeList") },
      handle: ({ query }) => service.nodes(query),
    }),
    route({
      ...kubernetes,
      path: `${PATH}/services`,
      summary: "List the services of clusters, and the workloads whose pods they select",
      query: taken("objectQuery"),
      responses: { 200: answer("serviceList") },
      handle: ({ query }) => service.services(query),
    }),
    route({
      ...kubernetes,
      path: `${PATH}/routes`,
      summary: "List Ingresses and Gateway routes, and the workloads that they lead to",
      query: taken("objectQuery"),
      responses: { 200: answer("routeList") },
      handle: ({ query }) => service.routes(query),
    }),
    route({
      ...kubernetes,
      path: `${PATH}/claims`,
      summary: "List persistent volume claims, and how full their volumes are",
      query: taken("objectQuery"),
      responses: { 200: answer("claimList") },
      handle: ({ query }) => service.claims(query),
    }),
    route({
      ...kubernetes,
      path: `${PATH}/certificates`,
      summary: "List the certificates in Secrets of the type kubernetes.io/tls",
      query: taken("objectQuery"),
      responses: { 200: answer("certificateList") },
      handle: ({ query }) => service.certificates(query),
    }),
    route({
      ...kubernetes,
      path: `${PATH}/events`,
      summary: "List the events of clusters of the last 30 days, newest first",
      query: taken("eventQuery"),
      responses: { 200: answer("eventList") },
      handle: ({ query }) => service.events(query),
    }),
  ];
}
