import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { componentsQuery, groupsQuery } from "../../api/status-components.ts";
import { numericId, rootRoute } from "../../app/root-route.ts";
import { componentsSearch, incidentsSearch, maintenanceSearch, subscribersSearch } from "./search.ts";

const statusPageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/status-page",
  component: lazyRouteComponent(() => import("./status-layout.tsx"), "StatusLayout"),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(componentsQuery);
    void queryClient.prefetchQuery(groupsQuery);
    void import("../../api/status-settings.ts").then(({ statusSettingsQuery }) => queryClient.prefetchQuery(statusSettingsQuery));
  },
});

const statusComponentsRoute = createRoute({
  getParentRoute: () => statusPageRoute,
  path: "/",
  validateSearch: componentsSearch,
  component: lazyRouteComponent(() => import("./components/components-tab.tsx"), "ComponentsTab"),
});

const incidentsRoute = createRoute({
  getParentRoute: () => statusPageRoute,
  path: "/incidents",
  validateSearch: incidentsSearch,
  component: lazyRouteComponent(() => import("./incidents/incidents-tab.tsx"), "IncidentsTab"),
  loader: ({ context: { queryClient } }) =>
    void import("../../api/status-incidents.ts").then(({ openIncidentsQuery }) => queryClient.prefetchQuery(openIncidentsQuery)),
});

const incidentRoute = createRoute({
  getParentRoute: () => statusPageRoute,
  path: "/incidents/$id",
  params: numericId,
  component: lazyRouteComponent(() => import("./incidents/incident-page.tsx"), "IncidentPage"),
  loader: ({ context: { queryClient }, params: { id } }) =>
    void import("../../api/status-incidents.ts").then(({ incidentQuery }) => queryClient.prefetchQuery(incidentQuery(id))),
});

const maintenanceRoute = createRoute({
  getParentRoute: () => statusPageRoute,
  path: "/maintenance",
  validateSearch: maintenanceSearch,
  component: lazyRouteComponent(() => import("./maintenance/maintenance-tab.tsx"), "MaintenanceTab"),
  loader: ({ context: { queryClient } }) =>
    void import("../../api/silences.ts").then(({ maintenanceQuery }) => queryClient.prefetchQuery(maintenanceQuery)),
});

const subscribersRoute = createRoute({
  getParentRoute: () => statusPageRoute,
  path: "/subscribers",
  validateSearch: subscribersSearch,
  component: lazyRouteComponent(() => import("./subscribers/subscribers-tab.tsx"), "SubscribersTab"),
});

const statusSettingsRoute = createRoute({
  getParentRoute: () => statusPageRoute,
  path: "/settings",
  component: lazyRouteComponent(() => import("./settings/settings-tab.tsx"), "SettingsTab"),
});

/** The status page's tabs, in their frame. */
export const statusPageRoutes = statusPageRoute.addChildren([
  statusComponentsRoute,
  incidentsRoute,
  incidentRoute,
  maintenanceRoute,
  subscribersRoute,
  statusSettingsRoute,
]);
