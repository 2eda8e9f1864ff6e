import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.ts";
import { kubernetesFilter } from "./filter.ts";

// Without loaders: what these pages read is in their own code, so that nothing of Kubernetes is in the first view but their addresses.

const workloadsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes",
  validateSearch: kubernetesFilter,
  component: lazyRouteComponent(() => import("./workloads-page.tsx"), "WorkloadsPage"),
});

const podsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/pods",
  validateSearch: kubernetesFilter,
  component: lazyRouteComponent(() => import("./pods-page.tsx"), "PodsPage"),
});

const nodesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/nodes",
  validateSearch: kubernetesFilter,
  component: lazyRouteComponent(() => import("./nodes-page.tsx"), "NodesPage"),
});

const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/events",
  validateSearch: kubernetesFilter,
  component: lazyRouteComponent(() => import("./events-page.tsx"), "EventsPage"),
});

const networkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/network",
  validateSearch: kubernetesFilter,
  component: lazyRouteComponent(() => import("./network-page.tsx"), "NetworkPage"),
});

const storageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/storage",
  validateSearch: kubernetesFilter,
  component: lazyRouteComponent(() => import("./storage-page.tsx"), "StoragePage"),
});

const workloadRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/workloads/$id",
  component: lazyRouteComponent(() => import("../kubernetes-workload/workload-page.tsx"), "WorkloadPage"),
});

export const kubernetesRoutes = [workloadsRoute, podsRoute, nodesRoute, eventsRoute, networkRoute, storageRoute, workloadRoute] as const;
