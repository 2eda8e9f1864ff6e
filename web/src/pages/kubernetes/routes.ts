import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.ts";
import { kubernetesFilter } from "./filter.ts";

// What these pages need is read once their code is there: nothing of Kubernetes is in the first view but their addresses.
const base = { getParentRoute: () => rootRoute, validateSearch: kubernetesFilter };

const workloadsRoute = createRoute({
  ...base,
  path: "/kubernetes",
  component: lazyRouteComponent(() => import("./workloads-page.tsx"), "WorkloadsPage"),
});

const podsRoute = createRoute({
  ...base,
  path: "/kubernetes/pods",
  component: lazyRouteComponent(() => import("./pods-page.tsx"), "PodsPage"),
});

const nodesRoute = createRoute({
  ...base,
  path: "/kubernetes/nodes",
  component: lazyRouteComponent(() => import("./nodes-page.tsx"), "NodesPage"),
});

const eventsRoute = createRoute({
  ...base,
  path: "/kubernetes/events",
  component: lazyRouteComponent(() => import("./events-page.tsx"), "EventsPage"),
});

const networkRoute = createRoute({
  ...base,
  path: "/kubernetes/network",
  component: lazyRouteComponent(() => import("./network-page.tsx"), "NetworkPage"),
});

const storageRoute = createRoute({
  ...base,
  path: "/kubernetes/storage",
  component: lazyRouteComponent(() => import("./storage-page.tsx"), "StoragePage"),
});

const workloadRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/workloads/$id",
  component: lazyRouteComponent(() => import("../kubernetes-workload/workload-page.tsx"), "WorkloadPage"),
});

export const kubernetesRoutes = [workloadsRoute, podsRoute, nodesRoute, eventsRoute, networkRoute, storageRoute, workloadRoute] as const;
