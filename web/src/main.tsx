import "@fontsource-variable/inter/wght.css";
import "@fontsource/jetbrains-mono/400.css";
import "@fontsource/jetbrains-mono/700.css";
import { QueryCache, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { MINUTE_MS } from "../../src/contract/time.ts";
import { isApiError } from "./api/client.ts";
import { PatientQueryClient } from "./api/query-client.ts";
import { createLive, LiveContext } from "./api/live.ts";
import { healthQuery } from "./api/queries.ts";
import { goToLogin, noteSession } from "./api/session.ts";
import "./app.css";
import { AlertActsContext, startAlertActs } from "./app/alert-acts.ts";
import { keepFocusOnBack } from "./app/focus-back.ts";
import { followNotifications } from "./app/follow-notifications.ts";
import { createPreferences, followDensity, followTheme, PreferencesContext } from "./app/preferences.ts";
import { createAppRouter } from "./router.tsx";
import { createTicker, TickerContext } from "./ui/ticker.tsx";

const queryClient = new PatientQueryClient({
  queryCache: new QueryCache({
    // An admin token is asked for, and the session has ended: the way leads back here.
    onError: (error) => {
      if (isApiError(error, "unauthorized")) goToLogin();
    },
    onSuccess: noteSession,
  }),
  defaultOptions: {
    queries: {
      // Events keep the cache right; what they do not contain is read again when the reader comes back after a while.
      staleTime: MINUTE_MS,
      // The server may be on this machine or network, whatever the browser says of the internet.
      networkMode: "always",
      retry: (failures, error) => failures < 2 && isApiError(error, "unreachable"),
    },
    // What cannot be done now fails now: nothing is held back and done later, when nobody expects it any more.
    mutations: { networkMode: "always" },
  },
});
const preferences = createPreferences();
const ticker = createTicker();
const { keptVersion } = document.documentElement.dataset;
const live = createLive({
  queryClient,
  keptVersion,
  onServerTime(serverTime) {
    // What was read before may be of another period than it says.
    if (ticker.correct(serverTime)) void queryClient.invalidateQueries();
  },
});
const alertActs = startAlertActs(queryClient);
const router = createAppRouter(queryClient);

// What stands above every page is known when the first one is shown, so that it does not push it down.
void queryClient.prefetchQuery(healthQuery);
followTheme(preferences.theme);
followDensity(preferences.density);
keepFocusOnBack(router);
followNotifications(router);
live.start();

/** Nothing that is on its way for the first view waits for it. */
const QUIET_AFTER_MS = 5000;
setTimeout(() => {
  // A window opens also when the server has gone, or is another version by then.
  void import("./ui/dialog-window.tsx").catch(() => undefined);
  if (import.meta.env.PROD && "serviceWorker" in navigator)
    void import("./app/offline.ts").then(({ keepForOffline }) => keepForOffline()).catch(() => undefined);
}, QUIET_AFTER_MS);

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <PreferencesContext value={preferences}>
      <TickerContext value={ticker}>
        <LiveContext value={live}>
          <AlertActsContext value={alertActs}>
            <RouterProvider router={router} />
          </AlertActsContext>
        </LiveContext>
      </TickerContext>
    </PreferencesContext>
  </QueryClientProvider>,
);
