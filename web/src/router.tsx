import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { activeAlertsQuery, alertContextsQuery, channelsQuery } from "./api/alert-queries.ts";
import { certificateQuery, certificatesQuery } from "./api/certificate-queries.ts";
import { endpointQuery, endpointsQuery, endpointSparklinesQuery } from "./api/endpoint-queries.ts";
import { heartbeatQuery, heartbeatsQuery } from "./api/heartbeat-queries.ts";
import { containerQuery, containersQuery, hostsQuery, runtimeStatusQuery, thresholdListQuery, topQuery } from "./api/queries.ts";
import { NotFound } from "./app/not-found.tsx";
import { numericId, rootRoute } from "./app/root-route.ts";
import { RouteError } from "./app/route-error.tsx";
import { parseSearch, stringifySearch } from "./app/search-params.ts";
import { alertRoutes } from "./pages/alerts/routes.ts";
import { changesFilter } from "./pages/changes/filter.ts";
import { certificateFilter } from "./entities/certificates/search.ts";
import { containerSearch } from "./pages/containers/detail/search.ts";
import { containerFilter } from "./entities/containers/filter.ts";
import { endpointSearch } from "./pages/endpoints/detail/search.ts";
import { endpointFilter } from "./entities/endpoints/search.ts";
import { heartbeatSearch } from "./pages/heartbeats/detail/search.ts";
import { heartbeatFilter } from "./entities/heartbeats/search.ts";
import { enrollSearch } from "./pages/hosts/search.ts";
import { logsFilter } from "./pages/logs/filter.ts";
import { mapFilter } from "./pages/map/filter.ts";
import { resourcesSearch } from "./pages/resources/search.ts";
import { askedFor, pagesOf, securityFilter } from "./pages/security/filter.ts";
import { notificationRoutes } from "./pages/notifications/routes.ts";
import { settingsRoutes } from "./pages/settings/routes.ts";
import { kubernetesRoutes } from "./pages/kubernetes/routes.ts";
import { updateFilter } from "./pages/updates/filter.ts";
import { swarmRoutes } from "./pages/swarm/routes.ts";
import { topologyQuery } from "./api/topology.ts";
import { statusPageRoutes } from "./pages/status-page/routes.ts";

// Loaders only set the reading off while the page's code is on its way; the pages show how it goes.
const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  component: lazyRouteComponent(() => import("./pages/overview/overview-page.tsx"), "OverviewPage"),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(activeAlertsQuery);
    void queryClient.prefetchQuery(alertContextsQuery);
    void queryClient.prefetchQuery(channelsQuery);
    void queryClient.prefetchQuery(containersQuery());
    void queryClient.prefetchQuery(endpointsQuery());
    void queryClient.prefetchQuery(heartbeatsQuery);
    void queryClient.prefetchQuery(certificatesQuery);
    void queryClient.prefetchQuery(endpointSparklinesQuery);
    void queryClient.prefetchQuery(runtimeStatusQuery);
    void queryClient.prefetchQuery(hostsQuery);
  },
});

const wallRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/wall",
  component: lazyRouteComponent(() => import("./pages/wall/wall-page.tsx"), "WallPage"),
});

const changesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/changes",
  validateSearch: changesFilter,
  component: lazyRouteComponent(() => import("./pages/changes/changes-page.tsx"), "ChangesPage"),
});

const containersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/containers",
  validateSearch: containerFilter,
  component: lazyRouteComponent(() => import("./pages/containers/containers-page.tsx"), "ContainersPage"),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(containersQuery()),
});

const containerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/containers/$id",
  params: numericId,
  validateSearch: containerSearch,
  component: lazyRouteComponent(() => import("./pages/containers/detail/container-page.tsx"), "ContainerPage"),
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(containerQuery(id)),
});

const logsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/logs",
  validateSearch: logsFilter,
  component: lazyRouteComponent(() => import("./pages/logs/logs-page.tsx"), "LogsPage"),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(containersQuery()),
});

const mapRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/map",
  validateSearch: mapFilter,
  component: lazyRouteComponent(() => import("./pages/map/map-page.tsx"), "MapPage"),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(topologyQuery),
});

const heartbeatsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/heartbeats",
  validateSearch: heartbeatFilter,
  component: lazyRouteComponent(() => import("./pages/heartbeats/heartbeats-page.tsx"), "HeartbeatsPage"),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(heartbeatsQuery),
});

const newHeartbeatRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/heartbeats/new",
  component: lazyRouteComponent(() => import("./pages/heartbeats/detail/new-heartbeat-page.tsx"), "NewHeartbeatPage"),
});

const heartbeatRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/heartbeats/$id",
  params: numericId,
  validateSearch: heartbeatSearch,
  component: lazyRouteComponent(() => import("./pages/heartbeats/detail/heartbeat-page.tsx"), "HeartbeatPage"),
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(heartbeatQuery(id)),
});

const endpointsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/endpoints",
  validateSearch: endpointFilter,
  component: lazyRouteComponent(() => import("./pages/endpoints/endpoints-page.tsx"), "EndpointsPage"),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(endpointsQuery());
    void queryClient.prefetchQuery(endpointSparklinesQuery);
  },
});

const endpointRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/endpoints/$id",
  params: numericId,
  validateSearch: endpointSearch,
  component: lazyRouteComponent(() => import("./pages/endpoints/detail/endpoint-page.tsx"), "EndpointPage"),
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(endpointQuery(id)),
});

const certificatesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/certificates",
  validateSearch: certificateFilter,
  component: lazyRouteComponent(() => import("./pages/certificates/certificates-page.tsx"), "CertificatesPage"),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(certificatesQuery),
});

const certificateRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/certificates/$id",
  params: numericId,
  component: lazyRouteComponent(() => import("./pages/certificates/detail/certificate-page.tsx"), "CertificatePage"),
  loader: ({ context: { queryClient }, params: { id } }) => void queryClient.prefetchQuery(certificateQuery(id)),
});

const resourcesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/resources",
  validateSearch: resourcesSearch,
  component: lazyRouteComponent(() => import("./pages/resources/resources-page.tsx"), "ResourcesPage"),
  loaderDeps: ({ search: { agent_id, by } }) => ({ agent_id, by }),
  loader: ({ context: { queryClient }, deps: { agent_id, by } }) => {
    void queryClient.prefetchQuery(hostsQuery);
    void queryClient.prefetchQuery(topQuery("cpu", agent_id, by));
    void queryClient.prefetchQuery(topQuery("memory", agent_id, by));
    void queryClient.prefetchQuery(containersQuery());
    void queryClient.prefetchQuery(thresholdListQuery);
    void queryClient.prefetchQuery(runtimeStatusQuery);
  },
});

const hostsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/hosts",
  component: lazyRouteComponent(() => import("./pages/hosts/hosts-page.tsx"), "HostsPage"),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(hostsQuery);
    void queryClient.prefetchQuery(runtimeStatusQuery);
  },
});

const newHostRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/hosts/new",
  validateSearch: enrollSearch,
  component: lazyRouteComponent(() => import("./pages/hosts/enroll-page.tsx"), "EnrollPage"),
});

const hostRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/hosts/$id",
  component: lazyRouteComponent(() => import("./pages/hosts/detail/host-page.tsx"), "HostPage"),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(hostsQuery);
    void queryClient.prefetchQuery(containersQuery());
    void queryClient.prefetchQuery(activeAlertsQuery);
  },
});

const updatesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/updates",
  validateSearch: updateFilter,
  component: lazyRouteComponent(() => import("./pages/updates/updates-page.tsx"), "UpdatesPage"),
  loaderDeps: ({ search: { agent_id, q, status, type, sort, order, group } }) => ({ agent_id, q, status, type, sort, order, group }),
  loader: ({ context: { queryClient }, deps: { agent_id, ...filter } }) => {
    void import("./pages/updates/prefetch.ts").then(({ prefetchUpdates }) => prefetchUpdates(queryClient, filter, agent_id));
  },
});

const securityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/security",
  validateSearch: securityFilter,
  component: lazyRouteComponent(() => import("./pages/security/security-page.tsx"), "SecurityPage"),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps: { agent_id, ...filter } }) => {
    void import("./api/security.ts").then(({ insightsQuery, securitySummaryQuery }) => {
      void queryClient.prefetchQuery(securitySummaryQuery(agent_id));
      void queryClient.prefetchInfiniteQuery(insightsQuery(askedFor(filter, agent_id), pagesOf(filter)));
    });
  },
});

const routeTree = rootRoute.addChildren([
  overviewRoute,
  wallRoute,
  changesRoute,
  containersRoute,
  containerRoute,
  logsRoute,
  mapRoute,
  ...swarmRoutes,
  ...kubernetesRoutes,
  heartbeatsRoute,
  newHeartbeatRoute,
  heartbeatRoute,
  endpointsRoute,
  endpointRoute,
  certificatesRoute,
  certificateRoute,
  resourcesRoute,
  updatesRoute,
  securityRoute,
  ...alertRoutes,
  ...notificationRoutes,
  statusPageRoutes,
  hostsRoute,
  newHostRoute,
  hostRoute,
  ...settingsRoutes,
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    defaultPreload: "intent",
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
