import type { Clock } from "../../platform/clock.ts";
import { z } from "zod";
import { type CursorPage, MOST_ROWS, type Order, pageOf } from "../../http/cursor.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { DeliveryRecord } from "../deliveries/answers.ts";
import { compareAlerts, type KeptAlert, keyText, type PlaceOfAlert } from "./alert.ts";
import { SEVERITIES } from "../vocabulary.ts";
import type { AcknowledgeBody, ListQuery, ResolveBody } from "./api.ts";
import type { AlertList, AlertTrace, ShownAlert } from "./answers.ts";
import type { Intake } from "./intake.ts";
import type { CutPage, Register, Totals } from "./register.ts";
import type { AlertStore } from "./store.ts";
import { traceOf } from "./trace.ts";

/** Where an active alert stands in their list: its severity, when it fired in milliseconds, its id. */
type Place = [PlaceOfAlert["severity"], number, number];

const ORDER: Order<KeptAlert, Place> = {
  place: z.tuple([z.enum(SEVERITIES), z.number(), z.number()]),
  placeOf: ({ severity, firedAt, id }) => [severity, firedAt.getTime(), id],
  compare: (one, other) => compareAlerts(ofPlace(one), ofPlace(other)),
};

function ofPlace([severity, firedMs, id]: Place): PlaceOfAlert {
  return { severity, firedAt: new Date(firedMs), id };
}

const firstPage: CutPage = (alerts) => pageOf(alerts, {}, ORDER);

/** What users can ask of alerts. Functions that take an id throw `not_found`; those that change something, `storage_unavailable`. */
export interface AlertService {
  /** Newest first, including resolved ones. */
  list(query: ListQuery): Promise<AlertList>;
  /** A page of the active alerts as JSON bytes, worst first. */
  active(page?: CursorPage): Buffer;
  detail(id: number): Promise<ShownAlert>;
  /** Why somebody was, or was not, notified. */
  trace(id: number): Promise<AlertTrace>;
  /** The last times that the same problem of the same thing fired before, newest first, and how many there are. */
  earlier(id: number, limit: number): Promise<Pick<AlertList, "alerts" | "total">>;
  /** Throws `conflict` when it is already acknowledged or resolved. */
  acknowledge(id: number, body: AcknowledgeBody): Promise<ShownAlert>;
  /** Throws `conflict` when it is already resolved. */
  resolve(id: number, body: ResolveBody): Promise<ShownAlert>;
}

export interface AlertServiceDependencies {
  store: AlertStore;
  totals: Totals;
  register: Register;
  intake: Intake;
  deliveriesOf(alertId: number): Promise<DeliveryRecord[]>;
  clock: Clock;
}

export function createAlertService({ store, totals, register, intake, deliveriesOf, clock }: AlertServiceDependencies): AlertService {
  async function find(id: number): Promise<KeptAlert> {
    const alert = register.byId(id) ?? (await store.one(id));
    if (alert === undefined) throw new ServiceError("not_found", `There is no alert ${id}.`);
    return alert;
  }

  /** Throws `conflict` when it is resolved. */
  async function findActive(id: number): Promise<KeptAlert> {
    const alert = await find(id);
    if (alert.status === "resolved") throw new ServiceError("conflict", `Alert ${id} is over: resolved by ${alert.resolvedBy ?? "auto"}.`);
    return alert;
  }

  return {
    async list(query) {
      const total = (await totals.of(query)) ?? (await store.count(query));
      const alerts = query.offset < total ? await store.page(query) : [];
      return { alerts: alerts.map(register.shown), total, has_more: query.offset + alerts.length < total };
    },
    active({ limit = MOST_ROWS, cursor } = {}) {
      const isFirst = limit === MOST_ROWS && cursor === undefined;
      return register.activeBody(isFirst ? firstPage : (alerts) => pageOf(alerts, { limit, cursor }, ORDER));
    },
    detail: async (id) => register.shown(await find(id)),
    async trace(id) {
      await find(id);
      const [evaluations, deliveries] = await Promise.all([store.evaluations(id), deliveriesOf(id)]);
      return traceOf(id, evaluations, deliveries);
    },
    async earlier(id, limit) {
      const { alerts, total } = await store.earlier(await find(id), limit);
      return { alerts: alerts.map(register.shown), total };
    },
    async acknowledge(id, { acknowledged_by: by, note = null }) {
      const alert = await findActive(id);
      const saved =
        alert.acknowledgedBy === null
          ? await intake.order({ kind: "acknowledge", key: keyText(alert), id, by, note: note === "" ? null : note, at: clock.now() })
          : undefined;
      if (saved !== undefined) return register.shown(saved);
      const { acknowledgedBy } = await findActive(id);
      throw new ServiceError("already_acknowledged", `Alert ${id} is acknowledged already, by ${acknowledgedBy ?? "somebody else"}.`);
    },
    async resolve(id, { resolved_by: by }) {
      const alert = await findActive(id);
      const saved = await intake.order({ kind: "resolve", key: keyText(alert), id, by, at: clock.now() });
      return register.shown(saved ?? (await findActive(id)));
    },
  };
}
