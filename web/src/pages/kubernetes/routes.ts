import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.ts";
import { kubernetesFilter } from "./filter.ts";

// Without loaders, and in one piece: what these pages read is in their own code, so that nothing of Kubernetes is in the first view but their addresses.
const pages = () => import("./pages.ts");

const workloadsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes",
  validateSearch: kubernetesFilter,
  component: lazyRouteComponent(pages, "WorkloadsPage"),
});

const podsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/pods",
  validateSearch: kubernetesFilter,
  component: lazyRouteComponent(pages, "PodsPage"),
});

const nodesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/nodes",
  validateSearch: kubernetesFilter,
  component: lazyRouteComponent(pages, "NodesPage"),
});

const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/events",
  validateSearch: kubernetesFilter,
  component: lazyRouteComponent(pages, "EventsPage"),
});

const networkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/network",
  validateSearch: kubernetesFilter,
  component: lazyRouteComponent(pages, "NetworkPage"),
});

const storageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/storage",
  validateSearch: kubernetesFilter,
  component: lazyRouteComponent(pages, "StoragePage"),
});

const workloadRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/workloads/$id",
  component: lazyRouteComponent(pages, "WorkloadPage"),
});

export const kubernetesRoutes = [workloadsRoute, podsRoute, nodesRoute, eventsRoute, networkRoute, storageRoute, workloadRoute] as const;
