import { queryOptions } from "@tanstack/react-query";
import { request } from "./client.ts";

/** What joins containers. Its key begins with that of their lists, since it changes when they do. */
export const topologyQuery = queryOptions({
  queryKey: ["containers", "topology"],
  queryFn: ({ signal }) => request("GET /api/v1/topology", { signal }),
});
