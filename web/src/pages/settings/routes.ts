import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { mcpQuery } from "../../api/assistants.ts";
import { editionQuery, healthQuery, runtimeStatusQuery, storageQuery } from "../../api/queries.ts";
import { rootRoute } from "../../app/root-route.ts";
import { assistantsSearch } from "./assistants/search.ts";
import { auditSearch } from "./audit/search.ts";

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings",
  component: lazyRouteComponent(() => import("./settings-page.tsx"), "SettingsPage"),
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(editionQuery);
    void queryClient.prefetchQuery(healthQuery);
    void queryClient.prefetchQuery(storageQuery);
    void queryClient.prefetchQuery(runtimeStatusQuery);
  },
});

const assistantsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings/assistants",
  validateSearch: assistantsSearch,
  component: lazyRouteComponent(() => import("./assistants/assistants-page.tsx"), "AssistantsPage"),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(mcpQuery),
});

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/settings/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./audit/audit-page.tsx"), "AuditPage"),
});

export const settingsRoutes = [settingsRoute, assistantsRoute, auditRoute] as const;
