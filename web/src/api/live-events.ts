import type { QueryClient } from "@tanstack/react-query";
import { patchHealth, patchLabelErrors, patchRestartLoop, patchState, type Patch } from "./apply-event.ts";
import { coalesce } from "./coalesce.ts";
import { createContainerPatches } from "./container-patches.ts";
import { createAgentUpdates } from "./live-agents.ts";
import { createAlertUpdates } from "./live-alerts.ts";
import { createAlertingUpdates } from "./live-alerting.ts";
import { createCheckUpdates } from "./live-checks.ts";
import { createHeartbeatUpdates } from "./live-heartbeats.ts";
import { createKubernetesUpdates } from "./live-kubernetes.ts";
import { createResourceUpdates } from "./live-resources.ts";
import { createStatusUpdates } from "./live-status.ts";
import { createUpdateUpdates } from "./live-updates.ts";
import { createSecurityUpdates, createSwarmUpdates } from "./live-reread.ts";
import { type EventListeners, type Hello, LiveStream, type LiveState } from "./live-stream.ts";
import { runtimeStatusQuery } from "./queries.ts";
import { isWholeList } from "./whole-list.ts";

interface Dependencies {
  queryClient: QueryClient;
  onState: (state: LiveState) => void;
  /** The id of the event before the first answers, after which the stream begins; undefined where it is not known. */
  after?: string | undefined;
  /** Called whenever the stream opens. */
  onHello: (hello: Hello) => void;
}

/** Opens the app's one event stream and applies it to the query cache: what an event contains is patched in place, what it only names is read again. */
export function createLiveEvents({ queryClient, after, onState, onHello }: Dependencies): { close(): void } {
  const changedIds = new Set<number>();
  let wasOpen = false;
  let wasLost = false;
  const patches = createContainerPatches(queryClient);
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
  const others = [checks, heartbeats, alerts, alerting, statusPage, security, swarm, kubernetes, updates, agents];

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
  /** What follows a change without another event: restart counts, uptime, the last words of a log. */
  const figuresLater = coalesce(
    () => {
      reread("containers");
      reread("container");
    },
    { quietMs: 3000, longestMs: 10_000 },
  );
  /** Results of checks that came between the first answers and the opening of the stream were sent to nobody: the next ones replace them. */
  const checksAfterOpening = coalesce(checks.reread, { quietMs: 1000, longestMs: 1000 });
  /** What was asked for while the server was away may have failed. */
  const stateAfterOpening = coalesce(
    () => {
      for (const key of ["containers", "container", "runtime-status"]) reread(key);
      for (const each of others) each.reread();
    },
    { quietMs: 1000, longestMs: 1000 },
  );

  function touch(id: number): void {
    changedIds.add(id);
    detailsSoon.call();
  }

  function patch(id: number, apply: Patch): void {
    patches.add(id, apply);
    touch(id);
  }

  function rereadRow({ id }: { id: number }): void {
    touch(id);
    listSoon.call();
  }

  function eventListeners(): EventListeners {
    return {
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
      // Its alert has more detail than the event of its beginning.
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
    };
  }

  const stream = new LiveStream({
    after,
    onState(state) {
      wasLost ||= "sinceMs" in state;
      onState(state);
    },
    onHello(hello) {
      const isFollowed = !wasOpen && !wasLost && after !== undefined;
      if (wasOpen) {
        // What was asked for before the loss may never be answered. It is read again below.
        void queryClient.cancelQueries({ predicate: isWholeList });
        resources.reread();
      }
      wasOpen = true;
      if (isFollowed) checksAfterOpening.call();
      else stateAfterOpening.call();
      onHello(hello);
    },
    onResync: () => reread(),
    events: eventListeners(),
  });
  return {
    close() {
      stream.close();
      for (const each of [resources, ...others, patches, listSoon, detailsSoon, figuresLater, checksAfterOpening, stateAfterOpening])
        each.cancel();
    },
  };
}
