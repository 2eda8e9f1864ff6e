import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { activeAlertsQuery, alertQuery, alertTraceQuery } from "../../api/alert-queries.ts";
import { numericId, rootRoute } from "../../app/root-route.ts";
import { historyFilter } from "./history-filter.ts";

const alertsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/alerts",
  component: lazyRouteComponent(() => import("./alerts-page.tsx"), "AlertsPage"),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(activeAlertsQuery),
});

const alertHistoryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/alerts/history",
  validateSearch: historyFilter,
  component: lazyRouteComponent(() => import("./history-page.tsx"), "AlertHistoryPage"),
});

const alertRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/alerts/$id",
  params: numericId,
  component: lazyRouteComponent(() => import("./detail/alert-page.tsx"), "AlertPage"),
  loader: ({ context: { queryClient }, params: { id } }) => {
    void queryClient.prefetchQuery(alertQuery(id));
    void queryClient.prefetchQuery(alertTraceQuery(id));
  },
});

export const alertRoutes = [alertsRoute, alertHistoryRoute, alertRoute] as const;
