import { z } from "zod";
import { DAY_MS } from "../../contract/time.ts";
import type { Order } from "../../http/cursor.ts";
import { sortedPage, type SortValue } from "../../http/sorting.ts";
import { type Clock, pause } from "../../platform/clock.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { CertificateBody, CertificateChange, ListFilter, ListQuery, SortKey } from "./api.ts";
import type { CertificateCheckList, CertificateDetail, CertificateList, CertificateRecord } from "./answers.ts";
import { type CertificateBulk, createCertificateBulk, settingsOf } from "./bulk.ts";
import type { SavedCertificate } from "./certificate.ts";
import { certificateRecord, checkRecord, countsOf } from "./records.ts";
import type { Register } from "./register.ts";
import type { SavedCheck } from "./rows.ts";
import { CLAIM_MS, type Scanning } from "./scanning.ts";
import type { CertificateStore } from "./store.ts";

/** A request may take 10 seconds, and a scan as long. */
const WAIT_MS = 8_500;

/** What can be asked about certificates, and done with them. Each throws `not_found` for one that does not exist. */
export interface CertificateService {
  /** Those that need somebody first, then by the days that are left. */
  matching(filter: ListFilter): CertificateRecord[];
  /** A page of them. Throws `unusable_values` for a cursor that is none. */
  list(query: ListQuery): CertificateList;
  detail(id: number): Promise<CertificateDetail>;
  checks(
    id: number,
    page: { since?: string | undefined; until?: string | undefined; limit: number; offset: number },
  ): Promise<CertificateCheckList>;
  /** Watches a peer and checks it at once; the check is null while it is still under way. Throws `conflict` for one that is watched already. */
  create(body: CertificateBody): Promise<CertificateDetail>;
  /** Creates and changes many by the caller's keys. */
  setUp: CertificateBulk;
  /** Changes and checks. Throws `conflict` where the address is not ours to change, or is watched already. */
  update(id: number, body: CertificateChange): Promise<CertificateDetail>;
  /** Throws `conflict` for one that an endpoint or a label asks for: it would come back at once. */
  remove(id: number): Promise<void>;
  /** Throws `conflict` for one of an agent, which looks by itself. */
  checkNow(id: number): Promise<CertificateDetail>;
}

export interface CertificateServiceParts {
  register: Register;
  scanning: Scanning;
  store: Pick<CertificateStore, "latestCheck" | "checks">;
  clock: Clock;
  /** Called when one was deleted that something else may ask for. */
  onRemoved(): void;
}

const END_OF_TIME = new Date(8.64e15);

export function createCertificateService({ register, scanning, store, clock, onRemoved }: CertificateServiceParts): CertificateService {
  function find(id: number): SavedCertificate {
    const certificate = register.get(id);
    if (certificate === undefined) throw new ServiceError("not_found", `There is no certificate monitor ${id}.`);
    return certificate;
  }

  /** Scans, for as long as a request may wait; the scan itself continues after that. */
  async function scanned(certificate: SavedCertificate): Promise<CertificateDetail> {
    const answered = new AbortController();
    const late = pause(clock, WAIT_MS, answered.signal).then(() => undefined);
    try {
      // One that fails after the answer is made again when it is due.
      const check = await Promise.race([scanning.scanNow(certificate), late]);
      return detailOf(find(certificate.id), check);
    } finally {
      answered.abort();
    }
  }

  function detailOf(certificate: SavedCertificate, check: SavedCheck | undefined): CertificateDetail {
    return { certificate: certificateRecord(certificate, clock.now()), latest_check: check === undefined ? null : checkRecord(check) };
  }

  function matching(filter: ListFilter): CertificateRecord[] {
    const now = clock.now();
    return [...register.all()]
      .map((certificate) => certificateRecord(certificate, now))
      .filter((record) => matches(record, filter))
      .toSorted((a, b) => BY_NEED.compare(BY_NEED.placeOf(a), BY_NEED.placeOf(b)));
  }

  return {
    matching,
    list(query) {
      const found = matching(query);
      const { page, next } = sortedPage(found, query, BY_NEED, SORTED_BY);
      return { certificates: [...page], total: found.length, counts: countsOf(found), next_cursor: next };
    },
    async detail(id) {
      const certificate = find(id);
      return detailOf(certificate, await store.latestCheck(id));
    },
    async checks(id, { since, until, limit, offset }) {
      find(id);
      const now = clock.now();
      const { checks, total } = await store.checks({
        certificateId: id,
        since: since === undefined ? new Date(now.getTime() - 30 * DAY_MS) : new Date(since),
        // The clock of an agent may be ahead of ours.
        until: until === undefined ? END_OF_TIME : new Date(until),
        limit,
        offset,
      });
      return { certificate_id: id, checks: checks.map(checkRecord), total, has_more: offset + checks.length < total };
    },
    async create(body) {
      const now = clock.now();
      const settings = settingsOf(body);
      // It is scanned right now; if that never ends, then.
      const certificate = await register.create(settings, now, new Date(now.getTime() + CLAIM_MS));
      if (certificate === undefined) throw alreadyWatched(register.find(null, settings));
      return scanned(certificate);
    },
    setUp: createCertificateBulk({ register, scanning, clock }),
    async update(id, body) {
      const { agentId, source, domain, port, serverName, thresholdsDays, checkIntervalMs } = find(id);
      const address = {
        domain: body.domain ?? domain,
        port: body.port ?? port,
        serverName: body.server_name ?? (body.domain === undefined || serverName !== domain ? serverName : body.domain),
      };
      const isMoved = address.domain !== domain || address.port !== port || address.serverName !== serverName;
      if (isMoved && source !== "standalone")
        throw new ServiceError("conflict", `The address of this one follows its ${source}. Thresholds and interval can be set here.`);
      const changed = await register.change(
        id,
        {
          ...address,
          thresholdsDays: body.alert_thresholds_days ?? thresholdsDays,
          checkIntervalMs: body.check_interval_seconds === undefined ? checkIntervalMs : body.check_interval_seconds * 1000,
          updatedAt: clock.now(),
        },
        { now: clock.now() },
      );
      if (changed === undefined) throw alreadyWatched(register.find(agentId, address));
      // An agent looks within the minute.
      return changed.agentId === null ? scanned(changed) : detailOf(changed, await store.latestCheck(id));
    },
    async remove(id) {
      const { source, endpointId, container } = find(id);
      if (source === "endpoint")
        throw new ServiceError(
          "conflict",
          `Endpoint ${endpointId} leads to this one. Delete or change the endpoint; this one goes with it.`,
        );
      if (source === "label")
        throw new ServiceError(
          "conflict",
          `A label of container ${container?.name} asks for this one. Remove the label; this one goes with it.`,
        );
      await register.remove(id, { now: clock.now() });
      onRemoved();
    },
    async checkNow(id) {
      const certificate = find(id);
      if (certificate.agentId !== null)
        throw new ServiceError(
          "conflict",
          `Certificate monitor ${id} cannot be checked now: the agent on its own host checks it every minute.`,
        );
      return scanned(certificate);
    },
  };
}

function alreadyWatched(known: SavedCertificate | undefined): ServiceError {
  const by = known === undefined ? "" : `, as ${known.id} (${known.source})`;
  return new ServiceError(
    "conflict",
    `This domain, port and server name are watched already${by}.`,
    known === undefined ? undefined : { id: known.id },
  );
}

function matches(record: CertificateRecord, { status, source, endpoint_id, container_id, search, agent_id }: ListFilter): boolean {
  if (status !== undefined && record.status !== status) return false;
  if (source !== undefined && record.source !== source) return false;
  if (endpoint_id !== undefined && record.endpoint_id !== endpoint_id) return false;
  if (container_id !== undefined && record.container_id !== container_id) return false;
  if (agent_id !== undefined && (record.agent_id ?? "local") !== agent_id) return false;
  const wanted = search?.toLowerCase();
  return (
    wanted === undefined || [record.domain, record.server_name, record.issuer ?? ""].some((text) => text.toLowerCase().includes(wanted))
  );
}

const NEED: Record<CertificateRecord["status"], number> = {
  expired: 0,
  chain_invalid: 1,
  expiring: 2,
  unreachable: 3,
  unknown: 4,
  valid: 5,
};

const SORTED_BY: Readonly<Record<SortKey, (certificate: CertificateRecord) => SortValue>> = {
  domain: ({ domain }) => domain,
  status: ({ status }) => NEED[status],
  days_left: ({ days_until_expiry }) => days_until_expiry,
  issuer: ({ issuer }) => issuer,
  checked: ({ last_check_at }) => last_check_at,
};

const BY_NEED: Order<CertificateRecord, [need: number, days: number | null, domain: string, id: number]> = {
  place: z.tuple([z.number(), z.number().nullable(), z.string(), z.number()]),
  placeOf: ({ status, days_until_expiry: days, domain, id }) => [NEED[status], days, domain, id],
  compare: ([need, days, domain, id], [otherNeed, otherDays, otherDomain, otherId]) =>
    need - otherNeed ||
    // Two without an end are alike: Infinity less Infinity would be no number.
    Math.min(days ?? Infinity, Number.MAX_VALUE) - Math.min(otherDays ?? Infinity, Number.MAX_VALUE) ||
    Number(domain > otherDomain) - Number(domain < otherDomain) ||
    id - otherId,
};
