import { DAY_MS } from "../../contract/time.ts";
import type { CertificateAlert, CertificateStatus } from "../../events.ts";
import { type CertificateScan, certificateTargetKey } from "../../observations.ts";
import { cleanName } from "../../platform/text.ts";
import {
  type Certificate,
  type CertificateState,
  daysUntil,
  type Raised,
  type SavedCertificate,
  UNREACHABLE_AFTER_MS,
} from "./certificate.ts";

/** What has to be published. */
export type CertificateChange =
  | { what: "alert"; alert: CertificateAlert; thresholdDays: number | null }
  | { what: "recovery"; alert: CertificateAlert; reason: "renewed" | "changed" | "reached" };

const MAX_TEXT = 2000;

type Alertable = Pick<Certificate, "state" | "source" | "endpointId">;

interface ScanContext {
  now: Date;
  /** Whether the container whose label asks for it runs; true for all others. While it does not, nobody expects its server to answer. */
  isExpected?: boolean;
}

/**
 * What a scan makes of a certificate. Each threshold fires once for each certificate, and of several crossed at once only the most urgent;
 * all is cleared by a certificate that is better. One that cannot be reached clears nothing; the dates of the one that was seen last still count.
 * Source: contract, sections 4 and 19.
 */
export function applyScan(
  certificate: Alertable & Pick<Certificate, "thresholdsDays">,
  scan: CertificateScan,
  { now, isExpected = true }: ScanContext,
): { next: CertificateState; changes: CertificateChange[] } {
  const { state, thresholdsDays } = certificate;
  const { leaf } = scan;
  const wasUnreachable = isUnreachable(certificate);
  if (leaf === null) {
    const error = cleanName(scan.error ?? "No certificate was seen.", MAX_TEXT);
    const { raised, changes } = raiseUnseen(state, thresholdsDays, now);
    const message = changes.length === 0 || state.leaf === null ? error : `${error} ${lastSeen(state.leaf.expiresAt, now)}`;
    const next = { ...become(state, "unreachable", message, now), lastError: error, raised };
    // The ten minutes begin when its container runs.
    if (!isExpected && !wasUnreachable) next.statusSince = now;
    if (!wasUnreachable && isUnreachable({ ...certificate, state: next }))
      changes.push({ what: "alert", alert: "unreachable", thresholdDays: null });
    return { next, changes };
  }
  const { raised, changes } = raise(state.raised, { scan, leaf, thresholdsDays, now });
  if (wasUnreachable) changes.push({ what: "recovery", alert: "unreachable", reason: "reached" });
  const status = judge(scan, leaf, thresholdsDays, now);
  const next: CertificateState = {
    ...become(state, status, wrongWith(status, scan, now), now),
    lastError: null,
    raised,
    leaf: {
      fingerprint: leaf.fingerprintSha256,
      subject: leaf.subject,
      issuer: leaf.issuer,
      issuerOrg: leaf.issuerOrg,
      expiresAt: leaf.expiresAt,
    },
  };
  return { next, changes };
}

/** What the dates of a certificate that nobody looks at make of it; undefined: nothing. That it was not seen changes nothing else. */
export function applyDates(
  { state, thresholdsDays }: Pick<Certificate, "state" | "thresholdsDays">,
  now: Date,
): { next: CertificateState; changes: CertificateChange[] } | undefined {
  const { leaf, lastError } = state;
  const level = leaf === null ? null : levelOf(leaf, thresholdsDays, now);
  if (leaf === null || level === null) return undefined;
  const { raised, changes } = raiseUnseen(state, thresholdsDays, now);
  const status = worse(state.status, level);
  if (changes.length === 0 && status === state.status) return undefined;
  const dates = lastSeen(leaf.expiresAt, now);
  const message = status === "unreachable" ? `${lastError ?? ""} ${dates}`.trimStart() : status === "chain_invalid" ? state.message : dates;
  const statusSince = status === state.status ? state.statusSince : now;
  return { next: { ...state, status, statusSince, message, raised }, changes };
}

/** The worse of a status and what dates say: one that cannot be reached stays so, and a wrong chain is worse than an expiry ahead. */
function worse(status: CertificateStatus, level: number): CertificateStatus {
  if (status === "unreachable") return status;
  if (level === 0) return "expired";
  return status === "valid" ? "expiring" : status;
}

/** What the dates of the certificate that was seen last raise while no other is seen. */
function raiseUnseen(
  { leaf, raised: before }: CertificateState,
  thresholdsDays: readonly number[],
  now: Date,
): { raised: Raised; changes: CertificateChange[] } {
  const level = leaf === null ? null : levelOf(leaf, thresholdsDays, now);
  const notifiedDays = leaf?.fingerprint === before.fingerprint ? before.announcedDays : null;
  if (leaf === null || level === null || (notifiedDays !== null && level >= notifiedDays)) return { raised: before, changes: [] };
  const raised = {
    ...before,
    fingerprint: leaf.fingerprint,
    announcedDays: level,
    expiring: before.expiring || level > 0,
    expired: before.expired || level === 0,
  };
  return { raised, changes: [alertAt(level)] };
}

function alertAt(level: number): CertificateChange {
  return level === 0
    ? { what: "alert", alert: "expired", thresholdDays: null }
    : { what: "alert", alert: "expiring", thresholdDays: level };
}

function lastSeen(expiresAt: Date, now: Date): string {
  return `The certificate that was seen last ${expiresAt <= now ? "expired" : "expires"} on ${minute(expiresAt)}.`;
}

type Leaf = NonNullable<CertificateScan["leaf"]>;

function become(state: CertificateState, status: CertificateStatus, message: string | null, now: Date): CertificateState {
  // On a clock that was set back it has lasted as long as before.
  const backMs = Math.max(0, (state.lastCheckAt?.getTime() ?? 0) - now.getTime());
  const statusSince = status === state.status ? new Date(state.statusSince.getTime() - backMs) : now;
  return { ...state, status, statusSince, message, lastCheckAt: now };
}

function judge(scan: CertificateScan, leaf: Leaf, thresholdsDays: readonly number[], now: Date): CertificateStatus {
  if (leaf.expiresAt <= now) return "expired";
  if (isChainBroken(scan, leaf, now)) return "chain_invalid";
  return levelOf(leaf, thresholdsDays, now) === null ? "valid" : "expiring";
}

/** What is wrong with a certificate of this status that shows these facts, in sentences; null when nothing is. */
export function wrongWith(
  status: CertificateStatus,
  { chainError, ocsp, leaf }: Pick<CertificateScan, "chainError" | "ocsp" | "leaf">,
  now: Date,
): string | null {
  if (leaf === null) return null;
  const sentences = chainError === null ? null : cleanName(chainError, MAX_TEXT);
  switch (status) {
    case "expired":
      return sentences ?? `It expired on ${minute(leaf.expiresAt)}.`;
    case "chain_invalid":
      return sentences ?? (ocsp === "revoked" ? "It was revoked." : "It is not valid for this host.");
    case "expiring": {
      const days = daysUntil(leaf.expiresAt, now);
      return `It expires on ${minute(leaf.expiresAt)}, ${days === 0 ? "in less than a day" : days === 1 ? "in 1 day" : `in ${days} days`}.`;
    }
    default:
      return null;
  }
}

/** Whether something is wrong other than the expiry of the certificate itself, which is reported separately. */
function isChainBroken({ chainValid, hostnameMatch, ocsp, chain }: CertificateScan, leaf: Leaf, now: Date): boolean {
  if (hostnameMatch === false || ocsp === "revoked") return true;
  if (chainValid) return false;
  const isOver = leaf.expiresAt <= now;
  return !isOver || chain.slice(1).some(({ error }) => error !== null);
}

/** The most urgent threshold that lies behind, in days, 0 for the expiry itself; null while none does. */
function levelOf({ expiresAt }: Pick<Leaf, "expiresAt">, thresholdsDays: readonly number[], now: Date): number | null {
  const leftMs = expiresAt.getTime() - now.getTime();
  const behind = [0, ...thresholdsDays].filter((days) => leftMs <= days * DAY_MS);
  return behind.length === 0 ? null : Math.min(...behind);
}

function raise(
  before: Raised,
  { scan, leaf, thresholdsDays, now }: { scan: CertificateScan; leaf: Leaf; thresholdsDays: readonly number[]; now: Date },
): { raised: Raised; changes: CertificateChange[] } {
  const changes: CertificateChange[] = [];
  const isSame = before.fingerprint === leaf.fingerprintSha256;
  const level = levelOf(leaf, thresholdsDays, now);
  const notifiedDays = isSame ? before.announcedDays : null;
  if (level !== null && (notifiedDays === null || level < notifiedDays)) changes.push(alertAt(level));
  const chainInvalid = isChainBroken(scan, leaf, now);
  if (chainInvalid && !before.chainInvalid) changes.push({ what: "alert", alert: "chain_invalid", thresholdDays: null });

  const raised: Raised = {
    fingerprint: leaf.fingerprintSha256,
    announcedDays: level === null ? null : Math.min(level, notifiedDays ?? level),
    // What was announced before it expired stands until it is renewed.
    expiring: level !== null && (level > 0 || (isSame && before.expiring)),
    expired: level === 0,
    chainInvalid,
  };
  const reason = isSame || before.fingerprint === null ? "changed" : "renewed";
  for (const alert of raisedAlerts(before)) if (!raisedAlerts(raised).includes(alert)) changes.push({ what: "recovery", alert, reason });
  return { raised, changes };
}

/** Whether a certificate has been unreachable for long enough. Where an https endpoint leads to it, the endpoint raises that alert. */
function isUnreachable({ state, source, endpointId }: Alertable): boolean {
  const { status, statusSince, lastCheckAt } = state;
  if (source === "endpoint" || endpointId !== null || status !== "unreachable" || lastCheckAt === null) return false;
  return lastCheckAt.getTime() - statusSince.getTime() >= UNREACHABLE_AFTER_MS;
}

/** The alerts that stand. */
export function standingAlerts(certificate: Alertable): CertificateAlert[] {
  return [...raisedAlerts(certificate.state.raised), ...(isUnreachable(certificate) ? ["unreachable" as const] : [])];
}

/** What was raised of another peer is over. Whether one that cannot be reached has an alert changes with the endpoint that leads to it. */
export function changesBetween(previous: SavedCertificate, next: Certificate): CertificateChange[] {
  if (certificateTargetKey(previous) !== certificateTargetKey(next))
    return standingAlerts(previous).map((alert) => ({ what: "recovery", alert, reason: "changed" }));
  if (isUnreachable(previous) === isUnreachable(next)) return [];
  return isUnreachable(next)
    ? [{ what: "alert", alert: "unreachable", thresholdDays: null }]
    : [{ what: "recovery", alert: "unreachable", reason: "changed" }];
}

/** Those that the certificate that was seen last raised. */
export function raisedAlerts({ expiring, expired, chainInvalid }: Raised): CertificateAlert[] {
  return [
    ...(expiring ? ["expiring" as const] : []),
    ...(expired ? ["expired" as const] : []),
    ...(chainInvalid ? ["chain_invalid" as const] : []),
  ];
}

function minute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
