import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { channelsQuery } from "../../api/alert-queries.ts";
import { numericId, rootRoute } from "../../app/root-route.ts";
import { formSearch, silenceSearch } from "../../entities/notifications/search.ts";

const channelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/notifications",
  validateSearch: formSearch,
  component: lazyRouteComponent(() => import("./channels/channels-page.tsx"), "ChannelsPage"),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(channelsQuery),
});

const channelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/notifications/channels/$id",
  params: numericId,
  validateSearch: formSearch,
  component: lazyRouteComponent(() => import("./channels/channel-page.tsx"), "ChannelPage"),
  loader: ({ context: { queryClient } }) => void queryClient.prefetchQuery(channelsQuery),
});

const routingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/notifications/routing",
  validateSearch: formSearch,
  component: lazyRouteComponent(() => import("./triggers/triggers-page.tsx"), "TriggersPage"),
});

const silencesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/notifications/silences",
  validateSearch: silenceSearch,
  component: lazyRouteComponent(() => import("./silences/silences-page.tsx"), "SilencesPage"),
});

const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/notifications/webhooks",
  validateSearch: formSearch,
  component: lazyRouteComponent(() => import("./webhooks/webhooks-page.tsx"), "WebhooksPage"),
});

const escalationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/notifications/escalation",
  validateSearch: formSearch,
  component: lazyRouteComponent(() => import("./escalation/escalation-page.tsx"), "EscalationPage"),
});

export const notificationRoutes = [channelsRoute, channelRoute, routingRoute, silencesRoute, webhooksRoute, escalationRoute] as const;
