import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.ts";
import { kubernetesFilter } from "./filter.ts";
import type { ListPath } from "./use-filter.ts";

// Without loaders, and in one piece: what these pages read is in their own code, so that nothing of Kubernetes is in the first view but their addresses.
const pages = () => import("./pages.ts");

function listRoute<Path extends ListPath>(path: Path, page: Exclude<keyof typeof import("./pages.ts"), "WorkloadPage">) {
  return createRoute({
    getParentRoute: () => rootRoute,
    path,
    validateSearch: kubernetesFilter,
    component: lazyRouteComponent(pages, page),
  });
}

const workloadRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/kubernetes/workloads/$id",
  component: lazyRouteComponent(pages, "WorkloadPage"),
});

export const kubernetesRoutes = [
  listRoute("/kubernetes", "WorkloadsPage"),
  listRoute("/kubernetes/pods", "PodsPage"),
  listRoute("/kubernetes/nodes", "NodesPage"),
  listRoute("/kubernetes/events", "EventsPage"),
  listRoute("/kubernetes/network", "NetworkPage"),
  listRoute("/kubernetes/storage", "StoragePage"),
  workloadRoute,
] as const;
