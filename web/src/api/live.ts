import type { QueryClient } from "@tanstack/react-query";
import { createContext, useContext, useSyncExternalStore } from "react";
import type { ContainerDetail } from "../../../src/monitoring/containers/answers.ts";
import { patchHealth, patchInList, patchLabelErrors, patchRestartLoop, patchState, type Patch } from "./apply-event.ts";
import { coalesce } from "./coalesce.ts";
import { createAgentUpdates } from "./live-agents.ts";
import { createAlertUpdates } from "./live-alerts.ts";
import { createAlertingUpdates } from "./live-alerting.ts";
import { createCheckUpdates } from "./live-checks.ts";
import { createHeartbeatUpdates } from "./live-heartbeats.ts";
import { createKubernetesUpdates } from "./live-kubernetes.ts";
import { createResourceUpdates } from "./live-resources.ts";
import { createSecurityUpdates } from "./live-security.ts";
import { createStatusUpdates } from "./live-status.ts";
import { createSwarmUpdates } from "./live-swarm.ts";
import { createUpdateUpdates } from "./live-updates.ts";
import { openLiveStream, type LiveState } from "./live-stream.ts";
import { containerQuery, containersQuery, runtimeStatusQuery } from "./queries.ts";

/** What the app knows of its event stream. */
export interface Live {
  state(): LiveState;
  /** The server's version, once it is another one than when this page was loaded. */
  newVersion(): string | undefined;
  subscribe(listener: () => void): () => void;
  /** Opens the stream; returns how to close it. */
  start(): () => void;
}

interface Dependencies {
  queryClient: QueryClient;
  /** Told the server's time whenever the stream opens. */
  onServerTime: (serverTime: string) => void;
}

/** Applies the app's one event stream to the query cache: what an event tells is patched in place, what it only names is read again. */
export function createLive({ queryClient, onServerTime }: Dependencies): Live {
  const listeners = new Set<() => void>();
  const changedIds = new Set<number>();
  let state: LiveState = { phase: "connecting" };
  let loadedVersion: string | undefined;
  let newVersion: string | undefined;
  const resources = createResourceUpdates(queryClient);
  const checks = createCheckUpdates(queryClient);
  const heartbeats = createHeartbeatUpdates(queryClient);
  const alerts = createAlertUpdates(queryClient);
  const alerting = createAlertingUpdates(queryClient);
  const statusPage = createStatusUpdates(queryClient);
  const security = createSecurityUpdates(queryClient);
  const swarm = createSwarmUpdates(queryClient);
  const kubernetes = createKubernetesUpdates(queryClient);
  const updates = createUpdateUpdates(queryClient);
  const agents = createAgentUpdates(queryClient);

  function tell(): void {
    for (const listener of listeners) listener();
  }

  function reread(...queryKey: unknown[]): void {
    void queryClient.invalidateQueries({ queryKey });
  }

  /** Rows came, went or changed their looks. Also while others never rest, each is to be seen within a second. */
  const listSoon = coalesce(() => reread("containers"), { quietMs: 250, longestMs: 500 });
  const detailsSoon = coalesce(
    () => {
      for (const id of changedIds) reread("container", id);
      changedIds.clear();
    },
    { quietMs: 250, longestMs: 500 },
  );
  /** What follows a change without an event of its own: restart counts, uptime, the last words of a log. */
  const figuresLater = coalesce(
    () => {
      reread("containers");
      reread("container");
    },
    { quietMs: 3000, longestMs: 10_000 },
  );
  /** What changed between the first answers and the opening of the stream was told to nobody. */
  const stateAfterOpening = coalesce(
    () => {
      for (const key of ["containers", "container", "runtime-status"]) reread(key);
      heartbeats.reread();
      checks.reread();
      alerts.reread();
      alerting.reread();
      statusPage.reread();
      security.reread();
      swarm.reread();
      kubernetes.reread();
      updates.reread();
      agents.reread();
    },
    { quietMs: 1000, longestMs: 1000 },
  );

  function touch(id: number): void {
    changedIds.add(id);
    detailsSoon.call();
  }

  function patch(id: number, apply: Patch): void {
    queryClient.setQueryData(containersQuery().queryKey, (list) => list && patchInList(list, id, apply));
    queryClient.setQueryData(
      containerQuery(id).queryKey,
      (detail): ContainerDetail | undefined => detail && { ...detail, ...apply(detail) },
    );
    touch(id);
  }

  function rereadRow({ id }: { id: number }): void {
    touch(id);
    listSoon.call();
  }

  function start(): () => void {
    const stream = openLiveStream({
      onState(next) {
        state = next;
        tell();
      },
      onHello(hello) {
        onServerTime(hello.server_time);
        if (loadedVersion !== undefined) resources.reread();
        loadedVersion ??= hello.version;
        newVersion = hello.version === loadedVersion ? undefined : hello.version;
        stateAfterOpening.call();
        tell();
      },
      onResync: () => reread(),
      events: {
        "container.state_changed": (data) => {
          patch(data.id, patchState(data));
          figuresLater.call();
        },
        "container.health_changed": (data) => {
          patch(data.id, patchHealth(data));
          figuresLater.call();
        },
        "container.restart_alert": (data) => patch(data.id, patchRestartLoop(data)),
        "container.down": ({ id }) => touch(id),
        "container.label_errors": (data) => patch(data.id, patchLabelErrors(data)),
        "container.discovered": rereadRow,
        "container.updated": rereadRow,
        "container.archived": rereadRow,
        "container.removed": rereadRow,
        "runtime.status_changed": () => {
          reread(...runtimeStatusQuery.queryKey);
          alerts.reread();
        },
        // Its alert says more of it than was told when it began.
        "runtime.lost": () => alerts.reread(),
        ...agents.events,
        ...resources.events,
        ...checks.events,
        ...heartbeats.events,
        ...alerts.events,
        ...alerting.events,
        ...statusPage.events,
        ...security.events,
        ...swarm.events,
        ...kubernetes.events,
        ...updates.events,
      },
    });
    return () => {
      stream.close();
      resources.cancel();
      checks.cancel();
      heartbeats.cancel();
      alerts.cancel();
      alerting.cancel();
      statusPage.cancel();
      security.cancel();
      swarm.cancel();
      kubernetes.cancel();
      updates.cancel();
      agents.cancel();
      for (const pending of [listSoon, detailsSoon, figuresLater, stateAfterOpening]) pending.cancel();
    };
  }

  return {
    state: () => state,
    newVersion: () => newVersion,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start,
  };
}

export const LiveContext = createContext<Live | undefined>(undefined);

function useLiveContext(): Live {
  const live = useContext(LiveContext);
  if (live === undefined) throw new Error("useLive needs a LiveContext around it");
  return live;
}

/** Whether the page is live, and if not, since when. */
export function useLive(): LiveState {
  const live = useLiveContext();
  return useSyncExternalStore(live.subscribe, live.state);
}

/** The version of a server that was updated under this page; undefined while it is the one that served it. */
export function useNewVersion(): string | undefined {
  const live = useLiveContext();
  return useSyncExternalStore(live.subscribe, live.newVersion);
}
