import { type Alerting, type AlertingDependencies, createAlerting, type Alert } from "../alerting/index.ts";
import { runs, stoppedAs } from "../monitoring/containers/index.ts";
import type { SecurityAlert, SecurityAlerts } from "../monitoring/security/index.ts";
import { createMailer, type SmtpSettings } from "../platform/mailer.ts";
import { createLive, type Live } from "../publishing/live/index.ts";
import { createStatusPage, type StatusPage } from "../publishing/status/index.ts";
import { createWebhooks, type Webhooks } from "../publishing/webhooks/index.ts";
import type { Ground } from "./ground.ts";
import { createObservedHosts } from "./observed-hosts.ts";
import type { Monitoring } from "./open-monitoring.ts";
import type { RemoteHosts } from "./remote-hosts.ts";
import { createRuntimeWatch, type RuntimeWatch, type LostBefore } from "./runtime-watch.ts";
import type { Trust } from "../collector/tls/trust.ts";
import type { SmtpConfig } from "../config/smtp.ts";

/** Who is notified of what changed, and what the public sees of it. */
export interface Publishing {
  webhooks: Webhooks;
  runtimeWatch: RuntimeWatch;
  observedHosts: ReturnType<typeof createObservedHosts>;
  alerting: Alerting;
  statusPage: StatusPage;
  live: Live;
  /** What people call a host; null of the local one, and of one that is not known. */
  hostName(agentId: string | null): string | null;
}

export function openPublishing(ground: Ground, monitoring: Monitoring, { agents }: RemoteHosts): Publishing {
  const { config, build, outside, lifecycle, part, secrets, database, bus, clock, scheduler, outbound, activeAlerts } = ground;
  const { containers, security } = monitoring;
  const shared = { database, bus, clock, scheduler };
  const hostName = (id: string | null): string | null => (id === null ? null : (agents.labelOf(id) ?? null));
  const newMailer = () => config.smtp && createMailer(mailSettings(config.smtp, ground.trust), clock);

  const webhooks = createWebhooks({ ...shared, secrets, log: part("webhooks"), outbound });
  const runtimeWatch = createRuntimeWatch({
    ...{ bus, clock, present: containers.present },
    lostBefore: (agentId) => lostBefore(activeAlerts, agentId),
  });
  const alerting = createAlerting({
    ...{ ...shared, secrets, log: part("alerting"), baseUrl: config.baseUrl, outbound, mailer: newMailer(), hostName, activeAlerts },
    editions: ground.editions,
    announcers: [
      { source: "agent", announce: () => [...runtimeWatch.announce(), ...agents.announce()] },
      { source: "webhook", announce: webhooks.announce },
      ...announcersOf(monitoring),
    ],
    groupOf: (id) => containers.present.get(id)?.group,
    watches: watchesOf(ground, monitoring, runtimeWatch),
  });
  monitoring.budget.onDropped((kind) => kind === "alerts" && alerting.forgetTotals());
  const observedHosts = createObservedHosts(clock);
  const isLocalWatched = ground.runtime !== undefined;
  const knownHostName = (id: string | null): string | undefined =>
    id !== null ? agents.labelOf(id) : isLocalWatched ? "Local" : undefined;
  const statusPage = createStatusPage({
    ...{ ...shared, log: part("status page"), baseUrl: config.baseUrl, alerting, mailer: newMailer() },
    monitoring: { ...monitoring, hosts: observedHosts, hostName: knownHostName },
    isDemo: outside !== undefined,
  });
  const live = createLive({ bus, clock, log: part("live"), version: build.version });

  // Security manages its own alerts, so it starts with alerting.
  lifecycle.add("security", { start: () => security.start(securityAlertsOf(alerting)), stop: security.stop });
  // Before the parts that publish events: started first and stopped last, so that no event is missed.
  lifecycle.add("webhooks", webhooks);
  lifecycle.add("runtime watch", runtimeWatch);
  lifecycle.add("alerting", { start: () => alerting.start(statusPage), stop: alerting.stop });
  lifecycle.add("status page", statusPage);
  return { webhooks, runtimeWatch, observedHosts, alerting, statusPage, live, hostName };
}

/** Those who know what is wrong with what is watched. */
function announcersOf(monitoring: Monitoring): AlertingDependencies["announcers"] {
  const { containers, resources, endpoints, certificates, heartbeats, updates, updateComparisons, security, clusters } = monitoring;
  return [
    { source: "container", announce: containers.announce },
    { source: "resource", announce: resources.announce },
    { source: "endpoint", announce: endpoints.announce },
    { source: "certificate", announce: certificates.announce },
    { source: "heartbeat", announce: heartbeats.announce },
    { source: "update", announce: () => [...updates.announce(), ...updateComparisons.announce()] },
    { source: "security", announce: security.announce },
    ...clusters.announcers,
  ];
}

/** What is known of what alerts are about. */
function watchesOf(
  { runtime }: Ground,
  { containers, clusters, updates, updateComparisons }: Monitoring,
  runtimeWatch: RuntimeWatch,
): AlertingDependencies["watches"] {
  const { present } = containers;
  return {
    localRuntime: runtime !== undefined,
    runs: (id) => runs(present.get(id)),
    stoppedAs: (id) => stoppedAs(present.get(id)),
    isDownOver: containers.isDownOver,
    isAlerted: (id, event) => (event === "regression" ? updateComparisons.isAlerted(id) : containers.isAlerted(id, event)),
    hasStoppedWithRuntime: (id) => runtimeWatch.hasStopped(present.get(id)),
    mayReturn: (id) => present.get(id)?.archivedAt instanceof Date,
    isStarting: (id) => present.get(id)?.health === "starting",
    updateStatus: updates.statusOf,
    ...clusters.watches,
  };
}

/** How the mail server is reached, with its password in clear. */
function mailSettings({ login, ...server }: SmtpConfig, trust: Trust): SmtpSettings {
  const revealed = login && { username: login.username, password: login.password.reveal() };
  return { ...server, login: revealed, secureContext: trust.context("strict") };
}

/** The lost runtime of a host, by the active alerts. */
export function lostBefore(activeAlerts: ReadonlyMap<string, Alert>, agentId: string | null): LostBefore | undefined {
  const alert = [...activeAlerts.values()].find(
    (each) => each.source === "agent" && each.event === "runtime_lost" && each.agentId === agentId,
  );
  const since = alert?.details["since"];
  const backAt = alert?.details["back_at"];
  if (typeof since !== "string") return undefined;
  return { since: new Date(since), backAt: typeof backAt === "string" ? new Date(backAt) : null };
}

/** What the security of containers asks of alerting. */
export function securityAlertsOf(alerting: Pick<Alerting, "active" | "acknowledge">): SecurityAlerts {
  return {
    active: () =>
      alerting
        .active()
        .filter(({ source, event }) => source === "security" && event === "dangerous_configuration")
        .map(({ id, entity, acknowledgedAt, details }): SecurityAlert => ({
          id,
          containerId: Number(entity.id),
          acknowledged: acknowledgedAt !== null,
          findings: textsOf(details["findings"]),
        })),
    acknowledge: alerting.acknowledge,
  };
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
