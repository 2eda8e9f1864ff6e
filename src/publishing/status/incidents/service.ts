import { INCIDENT_BOUNDS } from "../../../contract/status-page.ts";
import type { Clock } from "../../../platform/clock.ts";
import { type Fault, refuseFaults, ServiceError } from "../../../platform/errors.ts";
import type { Components } from "../seams.ts";
import type { IncidentBody, IncidentEdit, IncidentQuery, UpdateBody } from "./api.ts";
import type { IncidentList, IncidentRecord } from "./answers.ts";
import type { Impact, IncidentSeverity } from "../vocabulary.ts";
import { addUpdate, editIncident, editUpdate, type KeptIncident, openIncident, removeUpdate, takeOver } from "./incident.ts";
import type { Repository } from "./repository.ts";
import { incidentRecord } from "./records.ts";
import type { Register } from "./register.ts";
import type { IncidentStore } from "./store.ts";

/** What users can do with incidents. Those that take an id throw `not_found`; those that take components `unusable_values` when one is unknown. */
export interface IncidentService {
  list(query: IncidentQuery): Promise<IncidentList>;
  detail(id: number): Promise<IncidentRecord>;
  /** Throws `conflict` when too many are open. */
  create(body: IncidentBody): Promise<IncidentRecord>;
  edit(id: number, body: IncidentEdit): Promise<IncidentRecord>;
  remove(id: number): Promise<void>;
  /** Throws `conflict` when it has too many updates, or is opened again and too many are open. */
  addUpdate(id: number, body: UpdateBody): Promise<IncidentRecord>;
  editUpdate(id: number, updateId: number, message: string): Promise<IncidentRecord>;
  /** Throws `conflict` for the only one. */
  removeUpdate(id: number, updateId: number): Promise<void>;
}

export interface IncidentServiceDependencies {
  store: IncidentStore;
  register: Register;
  repository: Repository;
  components: Pick<Components, "find">;
  /** One change after another, those of automation too. */
  oneByOne: <Result>(work: () => Promise<Result>) => Promise<Result>;
  clock: Clock;
}

export function createIncidentService({
  store,
  register,
  repository,
  components,
  oneByOne,
  clock,
}: IncidentServiceDependencies): IncidentService {
  const recordOf = (incident: KeptIncident): IncidentRecord => incidentRecord(repository.show(incident));

  async function find(id: number): Promise<KeptIncident> {
    const incident = register.byId(id) ?? (await store.find(id));
    if (incident === undefined) throw new ServiceError("not_found", `There is no incident ${id}.`);
    return incident;
  }

  /** Each once. */
  function knownComponents(given: readonly number[]): number[] {
    const faults = given.flatMap((id, index): Fault[] =>
      components.find(id) === undefined ? [{ path: `components.${index}`, message: `There is no component ${id}` }] : [],
    );
    refuseFaults(faults);
    return [...new Set(given)];
  }

  function refuseTooManyOpen(before: KeptIncident | undefined, after: KeptIncident): void {
    const opens = after.resolvedAt === null && (before === undefined || before.resolvedAt !== null);
    if (!opens || register.openCount() < INCIDENT_BOUNDS.open) return;
    throw new ServiceError("conflict", `There are ${INCIDENT_BOUNDS.open} open incidents, which is as many as there may be; resolve some.`);
  }

  /** What a user changes of an incident. */
  function change(id: number, make: (incident: KeptIncident, now: Date) => KeptIncident): Promise<IncidentRecord> {
    return oneByOne(async () => {
      const before = await find(id);
      const after = takeOver(before, make(before, clock.now()), register.hasAlerts(id));
      refuseTooManyOpen(before, after);
      return recordOf(after === before ? before : await repository.keep({ before, after }));
    });
  }

  return {
    async list({ state, limit, offset }) {
      const incidents = (await store.page(state, { limit, offset })).map(recordOf);
      const total = await store.count(state);
      return { incidents, total, has_more: offset + incidents.length < total };
    },

    detail: async (id) => recordOf(await find(id)),

    create: ({ title, severity, message, status, components: given, impacts, notify }) =>
      oneByOne(async () => {
        const named = knownComponents(given);
        const settings = { title, severity, components: named, impacts: statedImpacts(impacts, { named, severity }), byService: false };
        const after = openIncident(settings, { status, message, notified: notify }, clock.now());
        refuseTooManyOpen(undefined, after);
        return recordOf(await repository.keep({ before: undefined, after }));
      }),

    edit: (id, edit) =>
      change(id, (incident, now) => {
        const { title, severity } = edit;
        const named = edit.components === undefined ? undefined : knownComponents(edit.components);
        const about = { named: named ?? incident.components, severity: severity ?? incident.severity };
        const impacts = edit.impacts === undefined ? undefined : statedImpacts(edit.impacts, about);
        return editIncident(incident, { title, severity, components: named, impacts }, now);
      }),

    remove: (id) => oneByOne(async () => repository.remove(await find(id))),

    addUpdate: (id, { status, message, notify }) =>
      change(id, (incident, now) => {
        if (incident.updates.length >= INCIDENT_BOUNDS.updates) {
          throw new ServiceError(
            "conflict",
            `The incident has ${INCIDENT_BOUNDS.updates} updates, which is as many as there may be; delete some.`,
          );
        }
        return addUpdate(incident, { status, message, notified: notify }, now);
      }),

    editUpdate: (id, updateId, message) =>
      change(id, (incident, now) => editUpdate(incident, updateId, message, now) ?? throwNoUpdate(id, updateId)),

    async removeUpdate(id, updateId) {
      await change(id, (incident, now) => {
        const after = removeUpdate(incident, updateId, now) ?? throwNoUpdate(id, updateId);
        if (after.updates.length > 0) return after;
        throw new ServiceError(
          "conflict",
          "This is the only update of the incident, which cannot do without; delete the incident instead.",
        );
      });
    },
  };
}

interface About {
  named: readonly number[];
  severity: IncidentSeverity;
}

/** Throws `unusable_values` for a component that the incident does not name, and where an outage is called operational. */
function statedImpacts(given: NonNullable<IncidentEdit["impacts"]>, { named, severity }: About): ReadonlyMap<number, Impact> {
  refuseFaults(
    given.flatMap(({ component_id: id, status }, index): Fault[] => {
      if (!named.includes(id)) return [{ path: `impacts.${index}.component_id`, message: `The incident does not name component ${id}` }];
      if (status !== "operational" || severity === "minor") return [];
      return [{ path: `impacts.${index}.status`, message: `Must not be operational in a ${severity} incident` }];
    }),
  );
  return new Map(given.map(({ component_id: id, status }) => [id, status]));
}

function throwNoUpdate(id: number, updateId: number): never {
  throw new ServiceError("not_found", `Incident ${id} has no update ${updateId}.`);
}
