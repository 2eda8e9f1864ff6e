import { z } from "zod";
import { ENDPOINT_STATUSES } from "../../../contract/endpoint.ts";
import { CONTAINER_STATES } from "../../../events.ts";

/** Why a container is said to need another one. */
export const DEPENDENCY_SOURCES = ["compose", "network_mode"] as const;
/** How it is known that an endpoint leads to a container. */
export const LEADS = ["label", "published_port"] as const;
/** Who reaches a published port. */
export const REACHES = ["every_network", "one_network", "host"] as const;

const containerId = z.number().int();

export const topology = z.object({
  containers: z
    .array(
      z.object({
        id: containerId,
        agent_id: z.uuid().nullable().meta({ description: "null: the local host" }),
        name: z.string(),
        group: z.string(),
        image: z.string(),
        state: z.enum(CONTAINER_STATES),
        health: z.enum(["healthy", "unhealthy", "starting"]).nullable(),
        host_network: z
          .boolean()
          .meta({ description: "it uses the network of its host: every port that it listens on is one of the host" }),
      }),
    )
    .meta({ description: "present and not ignored, by host, group and name; at most 2000" }),
  dependencies: z.array(z.object({ container_id: containerId, depends_on_id: containerId, source: z.enum(DEPENDENCY_SOURCES) })).meta({
    description: "compose: by `depends_on` of its Compose file; network_mode: it uses the network of the other one. At most 5000",
  }),
  endpoints: z
    .array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        status: z.enum(ENDPOINT_STATUSES),
        container_id: containerId,
        lead: z
          .enum(LEADS)
          .meta({ description: "label: of the container; published_port: it checks one of the container's ports on its host" }),
      }),
    )
    .meta({ description: "active checks that lead to one of the containers; at most 2000" }),
  ports: z
    .array(
      z.object({
        container_id: containerId,
        container_port: z.number().int(),
        protocol: z.enum(["tcp", "udp", "sctp"]),
        host_ip: z.string(),
        host_port: z.number().int(),
        reach: z.enum(REACHES).meta({
          description:
            "who reaches it, unless a firewall says otherwise. every_network: every network of the host, the internet too if one leads there",
        }),
      }),
    )
    .meta({ description: "published on hosts; at most 5000" }),
  truncated: z.boolean().meta({ description: "a limit was reached: ask for one host or group" }),
});
export type Topology = z.infer<typeof topology>;
