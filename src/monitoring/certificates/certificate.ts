import type { CertificateSource } from "../../contract/certificate.ts";
import { tlsPeerOf } from "../../contract/targets.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../contract/time.ts";
import type { CertificateStatus } from "../../events.ts";
import { type CertificateTarget, certificateTargetKey } from "../../observations.ts";
import { certificatesOfService, serviceCheckOwner, type SwarmService } from "../../observations/swarm.ts";
import { type AlertSettings, alertsOf, expiresSoon, type SavedEndpoint } from "../endpoints/index.ts";

/** The container whose label asks for a certificate, as its events describe it. */
interface CertificateContainer {
  id: number | null;
  externalId: string;
  name: string;
  /** With the values that look secret masked. */
  labels: Readonly<Record<string, string>>;
}

/** What was raised and has not been cleared: the memory that lets each alert fire once. */
export interface Raised {
  /** Of the certificate that was announced. */
  fingerprint: string | null;
  /** The most urgent threshold that was announced, in days, 0 for the expiry itself; null when none was. */
  announcedDays: number | null;
  expiring: boolean;
  expired: boolean;
  chainInvalid: boolean;
}

/** What is remembered of the certificate that was seen last. */
export interface KnownLeaf {
  fingerprint: string;
  subject: string;
  issuer: string;
  issuerOrg: string | null;
  expiresAt: Date;
}

export interface CertificateState {
  status: CertificateStatus;
  statusSince: Date;
  /** What is wrong, in sentences; null when nothing is. */
  message: string | null;
  raised: Raised;
  leaf: KnownLeaf | null;
  lastCheckAt: Date | null;
  /** Why the last check saw no certificate. */
  lastError: string | null;
  nextCheckAt: Date;
}

/** A TLS peer that is watched, why, and how it is doing. */
export interface Certificate extends CertificateTarget {
  agentId: string | null;
  /** What the program calls it that set it up with others; null for all else. */
  callerKey: string | null;
  source: CertificateSource;
  /** The https endpoint that leads to the same peer; null when there is none. */
  endpointId: number | null;
  /** null but for labels. */
  container: CertificateContainer | null;
  alerts: AlertSettings;
  /** Days before the expiry at which an alert is due, the most first. */
  thresholdsDays: readonly number[];
  checkIntervalMs: number;
  createdAt: Date;
  /** Of its settings. */
  updatedAt: Date;
  state: CertificateState;
}

/** A certificate with the identifier that storage gave it. */
export type SavedCertificate = Certificate & { id: number };

export const NOTHING_RAISED: Raised = { fingerprint: null, announcedDays: null, expiring: false, expired: false, chainInvalid: false };

/** For so long a server may be unreachable before that is alerted. Source: contract, section 19. */
export const UNREACHABLE_AFTER_MS = 10 * MINUTE_MS;

/** A threshold is crossed when it has passed. */
const AFTER_CROSSING_MS = 1_000;
const SHORTEST_MS = 30_000;

/** Nothing was seen yet; due at once. */
export function notChecked(now: Date): CertificateState {
  return {
    status: "unknown",
    statusSince: now,
    message: null,
    raised: NOTHING_RAISED,
    leaf: null,
    lastCheckAt: null,
    lastError: null,
    nextCheckAt: now,
  };
}

export type NewCertificate = Omit<Certificate, "state" | "createdAt" | "updatedAt" | "callerKey"> & { callerKey?: string };

/** One of which nothing was seen yet, due at `dueAt`. */
export function newCertificate(settings: NewCertificate, { now, dueAt }: { now: Date; dueAt: Date }): Certificate {
  return { callerKey: null, ...settings, createdAt: now, updatedAt: now, state: { ...notChecked(now), nextCheckAt: dueAt } };
}

/** Whole days left, below 0 once expired. */
export function daysUntil(expiresAt: Date, now: Date): number {
  return Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS);
}

/**
 * When to look again: after the interval, a little earlier by chance so that not all look at once; within an hour while something is wrong, since
 * then somebody is about to put it right; and just after the next threshold, or the time to be unreachable, is crossed. `random` is from 0 to 1.
 */
export function nextCheckAt(certificate: Certificate, state: CertificateState, now: Date, random: number): Date {
  const { checkIntervalMs, thresholdsDays } = certificate;
  const regularMs = checkIntervalMs * (1 - random * 0.05);
  const isWrong = state.status !== "valid" && state.status !== "expiring";
  const leftMs = state.leaf === null ? Infinity : state.leaf.expiresAt.getTime() - now.getTime();
  const unreachableMs = state.status === "unreachable" ? state.statusSince.getTime() + UNREACHABLE_AFTER_MS - now.getTime() : Infinity;
  const thresholds = [...thresholdsDays, 0].map((days) => leftMs - days * DAY_MS + AFTER_CROSSING_MS);
  const crossings = [...thresholds, unreachableMs].filter((ms) => ms > 0);
  const isExpiring = state.status === "expiring";
  const waitMs = Math.min(regularMs, isWrong || isExpiring ? HOUR_MS * (1 - random * 0.05) : Infinity, ...crossings);
  return new Date(now.getTime() + Math.max(waitMs, SHORTEST_MS));
}

/** Its next check was set by a clock that was set back since. */
export function isTooFarAhead({ checkIntervalMs, state }: SavedCertificate, at: Date): boolean {
  return state.nextCheckAt.getTime() - at.getTime() > checkIntervalMs + MINUTE_MS;
}

/** A peer that something asks to be watched, and what asks. */
export type Wanted = CertificateTarget & Pick<Certificate, "source" | "endpointId" | "container" | "alerts">;

/** What the labels of one container, or service, ask for. */
export interface LabelledTargets {
  container: CertificateContainer;
  alerts: Certificate["alerts"];
  targets: readonly CertificateTarget[];
}

/** What the labels of a service ask for: at most one. */
export function targetsOfService(service: SwarmService): LabelledTargets[] {
  const targets = certificatesOfService(service);
  if (targets.length === 0) return [];
  const { id, name, labels } = service;
  return [{ container: { id: null, externalId: serviceCheckOwner(id), name, labels }, alerts: alertsOf(service), targets }];
}

/** Everything of one host that asks to be watched, each peer once: by labels before endpoints, and by the oldest of several. */
export function wantedTargets(endpoints: readonly SavedEndpoint[], labelled: Iterable<LabelledTargets>): Map<string, Wanted> {
  const wanted = new Map<string, Wanted>();
  for (const { container, alerts, targets } of labelled) {
    for (const target of targets) {
      const key = certificateTargetKey(target);
      if (!wanted.has(key)) wanted.set(key, { ...target, source: "label", endpointId: null, container, alerts });
    }
  }
  for (const { id, check, alerts } of endpoints.toSorted((a, b) => a.id - b.id)) {
    const target = check.type === "http" ? tlsPeerOf(check.target) : undefined;
    if (target === undefined) continue;
    const key = certificateTargetKey(target);
    const known = wanted.get(key);
    if (known === undefined) wanted.set(key, { ...target, source: "endpoint", endpointId: id, container: null, alerts });
    else known.endpointId ??= id;
  }
  return wanted;
}

/** How a certificate was at a moment, by the checks that are kept. What is watched, and where, is as it is now. */
export interface CertificateAt {
  id: number;
  agentId: string | null;
  name: string;
  peer: CertificateTarget;
  /** `unknown`: no check spoke for it then. */
  status: CertificateStatus;
  /** What was wrong, in sentences; null when nothing was, or nothing is known. */
  message: string | null;
  /** Whether clients could trust what the last check saw; null while no check spoke for it, or it saw none. */
  isTrusted: boolean | null;
  /** The last check until then. */
  lastCheckAt: Date | null;
  error: string | null;
  /** Of the certificate that was seen last until then. */
  expiresAt: Date | null;
  /** The first check that is kept. */
  knownSince: Date | null;
}

/** Why an endpoint that answered was degraded, in the words of its record. */
export type EndpointTrouble = "certificate_untrusted" | "certificate_expiring";

/** Looks up what certificates as they were at a moment meant for https endpoints of their hosts; null: nothing, or nothing is known. */
export function endpointTroubles(
  certificates: readonly CertificateAt[],
  at: Date,
): (endpoint: { agentId: string | null; target: string }) => EndpointTrouble | null {
  const keyOf = (agentId: string | null, peer: CertificateAt["peer"]): string => `${agentId ?? ""} ${certificateTargetKey(peer)}`;
  const byPeer = new Map(certificates.map((certificate) => [keyOf(certificate.agentId, certificate.peer), certificate]));
  return ({ agentId, target }) => {
    const peer = tlsPeerOf(target);
    const certificate = peer === undefined ? undefined : byPeer.get(keyOf(agentId, peer));
    if (certificate === undefined || certificate.isTrusted === null) return null;
    if (!certificate.isTrusted) return "certificate_untrusted";
    return expiresSoon(certificate, at) ? "certificate_expiring" : null;
  };
}
