/** The page of all components: for developers and tests, no part of the product. See docs/testing.md. */
import "@fontsource-variable/inter/wght.css";
import "@fontsource/jetbrains-mono/400.css";
import "@fontsource/jetbrains-mono/700.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { createLive, LiveContext } from "../src/api/live.ts";
import "../src/app.css";
import { createPreferences, PreferencesContext } from "../src/app/preferences.ts";
import { createTicker, TickerContext } from "../src/ui/ticker.tsx";
import { Gallery } from "./gallery.tsx";

const queryClient = new QueryClient();
const ticker = createTicker();
// Never started: what is shown is given to it, nothing is read.
const live = createLive({ queryClient, onServerTime: ticker.correct });
// Links lead nowhere from here, and have their addresses all the same.
const rootRoute = createRootRoute({ component: Gallery, notFoundComponent: Gallery });
const router = createRouter({ routeTree: rootRoute, history: createMemoryHistory() });

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");
createRoot(root).render(
  <QueryClientProvider client={queryClient}>
    <PreferencesContext value={createPreferences()}>
      <TickerContext value={ticker}>
        <LiveContext value={live}>
          <RouterProvider router={router as never} />
        </LiveContext>
      </TickerContext>
    </PreferencesContext>
  </QueryClientProvider>,
);
