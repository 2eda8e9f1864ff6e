import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.ts";
import { nodesSearch, serviceSearch, swarmSearch } from "./search.ts";

// Without loaders, and in one piece: what these pages read is in their own code, so that nothing of swarms is in the first view but their addresses.
const pages = () => import("./pages.ts");

const swarmRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/swarm",
  validateSearch: swarmSearch,
  component: lazyRouteComponent(pages, "ServicesPage"),
});

const swarmNodesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/swarm/nodes",
  validateSearch: nodesSearch,
  component: lazyRouteComponent(pages, "NodesPage"),
});

const swarmServiceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/swarm/services/$id",
  validateSearch: serviceSearch,
  component: lazyRouteComponent(pages, "ServicePage"),
});

export const swarmRoutes = [swarmRoute, swarmNodesRoute, swarmServiceRoute] as const;
