import { SCOPES } from "../../../contract/scope.ts";
import { COMPONENT_BOUNDS } from "../../../contract/status-page.ts";
import { DAY_MS } from "../../../contract/time.ts";
import type { Clock } from "../../../platform/clock.ts";
import { type Fault, refuseFaults, ServiceError } from "../../../platform/errors.ts";
import { type FollowedType, type Monitor } from "../vocabulary.ts";
import type { ComponentBody, ComponentUpdate, GroupBody, GroupUpdate, Order } from "./api.ts";
import type { Arrangement, ComponentList, ComponentRecord, GroupList, GroupRecord } from "./answers.ts";
import { lastPlace, orderFaults, type SavedGroup } from "./arrangement.ts";
import type { SavedComponent, Settings } from "./component.ts";
import type { Monitors } from "./monitors.ts";
import type { Projection } from "./projection.ts";
import { componentRecord, groupRecord, groupEvent, lifeEvent, statusEvents } from "./records.ts";
import type { ComponentStore } from "./store.ts";
import type { Updater } from "./updater.ts";

/** What can be asked of groups and components, and done with them. Those that take an id throw `not_found`; those that take a body `unusable_values`. */
export interface ComponentService {
  groups(): GroupList;
  /** This and the next throw `duplicate_name`, and both kinds of creation `conflict` when there are too many. */
  createGroup(body: GroupBody): Promise<GroupRecord>;
  updateGroup(id: number, body: GroupUpdate): Promise<GroupRecord>;
  /** Its components stay, without a group. */
  removeGroup(id: number): Promise<void>;
  components(): ComponentList;
  create(body: ComponentBody): Promise<ComponentRecord>;
  update(id: number, body: ComponentUpdate): Promise<ComponentRecord>;
  /** With its history. */
  remove(id: number): Promise<void>;
  arrange(order: Order): Promise<Arrangement>;
}

export interface ComponentServiceParts {
  store: ComponentStore;
  projection: Projection;
  updater: Pick<Updater, "inLine" | "stateOf" | "publish">;
  monitors: Pick<Monitors, "look">;
  clock: Clock;
}

export function createComponentService({ store, projection, updater, monitors, clock }: ComponentServiceParts): ComponentService {
  const { inLine, publish } = updater;

  function findGroup(id: number): SavedGroup {
    const group = projection.group(id);
    if (group === undefined) throw new ServiceError("not_found", `There is no group ${id}.`);
    return group;
  }

  function find(id: number): SavedComponent {
    const component = projection.get(id);
    if (component === undefined) throw new ServiceError("not_found", `There is no component ${id}.`);
    return component;
  }

  function refuseSameName(name: string, except?: number): void {
    const other = projection.groups().find((group) => group.name === name && group.id !== except);
    if (other !== undefined) throw new ServiceError("duplicate_name", `There is a group named "${name}" already.`);
  }

  function record(component: SavedComponent): ComponentRecord {
    const { uptime = null, knownMs = 0 } = projection.shown(component.id) ?? {};
    return componentRecord(component, { uptime: knownMs < DAY_MS ? null : uptime });
  }

  function list(): ComponentList {
    const components = projection.components().map(record);
    return { components, total: components.length, page_status: projection.pageStatus() };
  }

  /** What a body makes of settings; what is new in it must exist. */
  function settingsOf(body: ComponentUpdate, before: Settings): Settings {
    const type = body.monitor_type ?? before.monitor.type;
    const monitor = readMonitor(type, body.monitor_id ?? before.monitor.id);
    const groupId = body.group_id === undefined ? before.groupId : body.group_id;
    const faults: Fault[] = [];
    if (groupId !== null && projection.group(groupId) === undefined)
      faults.push({ path: "group_id", message: `There is no group ${groupId}` });
    if (monitor === undefined) faults.push({ path: "monitor_id", message: ID_RULES[type] ?? "Must be a number" });
    else if (!isSame(monitor, before.monitor) && monitors.look(monitor) === undefined)
      faults.push({ path: "monitor_id", message: `There is no ${type === SCOPES.host ? "host" : type} ${monitor.id}` });
    refuseFaults(faults);
    return {
      groupId,
      name: body.name ?? before.name,
      description: body.description ?? before.description,
      monitor: monitor ?? before.monitor,
      sortOrder: body.sort_order ?? (groupId === before.groupId ? before.sortOrder : placeIn(groupId)),
      visible: body.visible ?? before.visible,
      statusOverride: body.status_override === undefined ? before.statusOverride : body.status_override,
      autoIncident: body.auto_incident ?? before.autoIncident,
    };
  }

  /** After all others of a group. */
  function placeIn(groupId: number | null): number {
    return lastPlace(projection.components().filter((component) => component.groupId === groupId));
  }

  return {
    groups() {
      const groups = projection.groups().map(groupRecord);
      return { groups, total: groups.length };
    },

    createGroup: (body) =>
      inLine(async () => {
        refuseSameName(body.name);
        const groups = projection.groups();
        if (groups.length >= COMPONENT_BOUNDS.groups) throw tooMany(COMPONENT_BOUNDS.groups, "groups");
        const now = clock.now();
        const sortOrder = body.sort_order ?? lastPlace(groups);
        const group = await store.insertGroup({ name: body.name, sortOrder, createdAt: now, updatedAt: now });
        projection.putGroup(group);
        publish([groupEvent("created", group, now)]);
        return groupRecord(group);
      }),

    updateGroup: (id, body) =>
      inLine(async () => {
        const before = findGroup(id);
        if (body.name !== undefined) refuseSameName(body.name, id);
        const now = clock.now();
        const next = { ...before, name: body.name ?? before.name, sortOrder: body.sort_order ?? before.sortOrder, updatedAt: now };
        await store.save({ groups: [next] });
        projection.putGroup(next);
        publish([groupEvent("updated", next, now)]);
        return groupRecord(next);
      }),

    removeGroup: (id) =>
      inLine(async () => {
        const group = findGroup(id);
        const now = clock.now();
        const place = placeIn(null);
        const left = projection
          .components()
          .filter(({ groupId }) => groupId === id)
          .map((component, index) => ({ ...component, groupId: null, sortOrder: place + index, updatedAt: now }));
        await store.removeGroup(id, left);
        projection.removeGroup(id);
        for (const component of left) projection.put(component);
        publish([...left.map((component) => lifeEvent("updated", component, now)), groupEvent("deleted", group, now)]);
      }),

    components: list,

    create: (body) =>
      inLine(async () => {
        const settings = settingsOf(body, NEW);
        if (projection.components().length >= COMPONENT_BOUNDS.components) throw tooMany(COMPONENT_BOUNDS.components, "components");
        const now = clock.now();
        const placed = { ...settings, sortOrder: body.sort_order ?? placeIn(settings.groupId) };
        const component = await store.insertComponent({ ...placed, ...updater.stateOf(placed), createdAt: now, updatedAt: now });
        projection.put(component);
        publish([lifeEvent("created", component, now)]);
        return record(component);
      }),

    update: (id, body) =>
      inLine(async () => {
        const before = find(id);
        const now = clock.now();
        const settings = settingsOf(body, before);
        const { monitorName: _name, monitorStatus: _status, lastObservedAt: _at, needsAttention: _attention, ...fresh } = before;
        const known = isSame(settings.monitor, before.monitor) ? before : fresh;
        const next = { ...before, ...settings, ...updater.stateOf({ ...known, ...settings }, id), updatedAt: now };
        const days = before.status === next.status ? [] : projection.unsavedDays(new Set([id]));
        await store.save({ components: [next], days });
        projection.daysSaved(days);
        projection.put(next);
        publish([lifeEvent("updated", next, now), ...statusEvents(before, next, now)]);
        return record(next);
      }),

    remove: (id) =>
      inLine(async () => {
        const component = find(id);
        await store.removeComponent(id);
        projection.remove(id);
        publish([lifeEvent("deleted", component, clock.now())]);
      }),

    arrange: (order) =>
      inLine(async () => {
        const groups = projection.groups();
        const components = projection.components();
        refuseFaults(
          orderFaults(
            order,
            groups.map(({ id }) => id),
            components.map(({ id }) => id),
          ),
        );
        const now = clock.now();
        const movedGroups = order.groups.flatMap((id, sortOrder) => {
          const group = findGroup(id);
          return group.sortOrder === sortOrder ? [] : [{ ...group, sortOrder, updatedAt: now }];
        });
        const moved = order.components.flatMap(({ id, group_id: groupId }, sortOrder) => {
          const component = find(id);
          return component.sortOrder === sortOrder && component.groupId === groupId
            ? []
            : [{ ...component, groupId, sortOrder, updatedAt: now }];
        });
        if (movedGroups.length + moved.length > 0) {
          await store.save({ groups: movedGroups, components: moved });
          for (const group of movedGroups) projection.putGroup(group);
          for (const component of moved) projection.put(component);
          publish([
            ...movedGroups.map((group) => groupEvent("updated", group, now)),
            ...moved.map((component) => lifeEvent("updated", component, now)),
          ]);
        }
        return { groups: projection.groups().map(groupRecord), ...list() };
      }),
  };
}

/** What is left out of a new one. Its monitor is none yet. */
const NEW: Settings = {
  groupId: null,
  name: "",
  description: "",
  monitor: { type: "container", id: 0 },
  sortOrder: 0,
  visible: true,
  statusOverride: null,
  autoIncident: false,
};

const ID_RULES: Partial<Record<FollowedType, string>> = {
  [SCOPES.group]: "Must be the name of a group, as text",
  [SCOPES.host]: "Must be `local` or the UUID of an agent",
};

/** What a type and an id name; undefined when the id is none of that type. */
function readMonitor(type: FollowedType, id: number | string): Monitor | undefined {
  if (type === SCOPES.group || type === SCOPES.host)
    return typeof id === "string" ? { type, id: type === SCOPES.host ? id.toLowerCase() : id } : undefined;
  return typeof id === "number" ? { type, id } : undefined;
}

function isSame(a: Monitor, b: Monitor): boolean {
  return a.type === b.type && a.id === b.id;
}

function tooMany(most: number, what: string): ServiceError {
  return new ServiceError("conflict", `There are ${most} ${what} on the status page, which is as many as there may be.`);
}
