import { type Board, type Component, type ComponentStatus, type Impact, type Monitor, worse, hasNoData, worstOf } from "../vocabulary.ts";
import { type Account, count, dayOf, forgetBefore, oldestDay, shownDay, historyOf } from "./account.ts";
import { byPlace, inPageOrder, type SavedGroup } from "./arrangement.ts";
import { countedStatus, isOnPage, type SavedComponent, isHealthy, isObserved } from "./component.ts";
import type { SavedDay } from "./rows.ts";

interface Entry {
  component: SavedComponent;
  account: Account;
  /** Days that are not saved as they are. */
  unsaved: Set<number>;
  /** As the page shows it; undefined after a change. */
  shown: Component | undefined;
}

/** Groups and components in memory as they were last saved; only their accounts of time are ahead of what is saved. */
export interface Projection {
  groups(): readonly SavedGroup[];
  group(id: number): SavedGroup | undefined;
  /** In the order of the page. */
  components(): readonly SavedComponent[];
  get(id: number): SavedComponent | undefined;
  standFor(monitor: Monitor): readonly SavedComponent[];
  /** As it was when something of it changed last. */
  board(): Board;
  shown(id: number): Component | undefined;
  pageStatus(): ComponentStatus;
  putGroup(group: SavedGroup): void;
  removeGroup(id: number): void;
  put(component: SavedComponent): void;
  remove(id: number): void;
  putDay(day: SavedDay): void;
  /** Takes when monitors were last observed, which changes nothing on the page. */
  observed(components: readonly SavedComponent[]): void;
  /** Counts time that passed for every component as it stands. */
  count(span: { fromMs: number; untilMs: number }): void;
  /** Of these components, by default of all. */
  unsavedDays(ids?: ReadonlySet<number>): SavedDay[];
  daysSaved(days: readonly SavedDay[]): void;
  /** Answers whether bars of today differ from what somebody saw on the board; from now on it shows them. */
  refreshBars(): boolean;
  forgetDays(): void;
}

export function createProjection(now: () => Date, impactOnPage: () => Impact | null = () => null): Projection {
  const groups = new Map<number, SavedGroup>();
  const entries = new Map<number, Entry>();
  const byMonitor = new Map<string, SavedComponent[]>();
  let board: Board | undefined;
  let ordered: readonly SavedComponent[] | undefined;
  let shownOn = NaN;

  const keyOf = ({ type, id }: Monitor): string => `${type} ${id}`;
  const groupsInOrder = (): SavedGroup[] => [...groups.values()].sort(byPlace);

  function changed(): void {
    board = undefined;
    ordered = undefined;
  }

  function index(): void {
    byMonitor.clear();
    for (const { component } of entries.values()) {
      const key = keyOf(component.monitor);
      byMonitor.set(key, [...(byMonitor.get(key) ?? []), component]);
    }
  }

  function inOrder(): readonly SavedComponent[] {
    return (ordered ??= inPageOrder(
      groupsInOrder(),
      [...entries.values()].map(({ component }) => component),
    ));
  }

  function shown(entry: Entry): Component {
    return (entry.shown ??= shownComponent(entry.component, entry.account, now()));
  }

  function show(): Board {
    const today = dayOf(now().getTime());
    if (today !== shownOn) {
      for (const entry of entries.values()) entry.shown = undefined;
      board = undefined;
      shownOn = today;
    }
    return (board ??= {
      groups: groupsInOrder().map(({ id, name }) => ({ id, name })),
      components: inOrder().flatMap(({ id }) => {
        const entry = entries.get(id);
        return entry === undefined ? [] : shown(entry);
      }),
    });
  }

  return {
    groups: groupsInOrder,
    group: (id) => groups.get(id),
    components: inOrder,
    get: (id) => entries.get(id)?.component,
    standFor: (monitor) => byMonitor.get(keyOf(monitor)) ?? [],
    board: show,
    shown: (id) => show().components.find((component) => component.id === id),
    pageStatus() {
      const components = [...entries.values()].map(({ component }) => ({ visible: isOnPage(component), status: component.status }));
      const impact = impactOnPage();
      return impact === null ? pageStatus({ components }) : worse(pageStatus({ components }), impact);
    },
    putGroup(group) {
      groups.set(group.id, group);
      changed();
    },
    removeGroup(id) {
      groups.delete(id);
      changed();
    },
    put(component) {
      const known = entries.get(component.id);
      if (known === undefined) entries.set(component.id, { component, account: new Map(), unsaved: new Set(), shown: undefined });
      else Object.assign(known, { component, shown: undefined });
      index();
      changed();
    },
    observed(components) {
      for (const component of components) {
        const entry = entries.get(component.id);
        if (entry !== undefined) entry.component = component;
      }
      index();
      ordered = undefined;
    },
    remove(id) {
      entries.delete(id);
      index();
      changed();
    },
    putDay({ componentId, startMs, times }) {
      entries.get(componentId)?.account.set(startMs, times);
    },
    count(span) {
      for (const { component, account, unsaved } of entries.values()) {
        const status = countedStatus(component);
        if (status !== null) for (const day of count(account, status, span)) unsaved.add(day);
      }
    },
    unsavedDays(ids) {
      return [...entries.values()].flatMap(({ component: { id }, account, unsaved }) =>
        ids?.has(id) === false ? [] : [...unsaved].flatMap((startMs) => dayAt(account, id, startMs)),
      );
    },
    daysSaved(days) {
      for (const { componentId, startMs, times } of days) {
        const entry = entries.get(componentId);
        // More may have been counted while it was saved.
        if (entry?.account.get(startMs) === times) entry.unsaved.delete(startMs);
      }
    },
    refreshBars() {
      const today = dayOf(now().getTime());
      let isChanged = today !== shownOn;
      for (const entry of entries.values()) {
        const { account, component } = entry;
        const bar = entry.shown?.days.at(-1);
        if (bar === undefined) continue;
        const next = shownDay(today, account.get(today), countedStatus(component));
        if (bar.worst === next.worst && bar.uptime === next.uptime && bar.outageSeconds === next.outageSeconds) continue;
        entry.shown = undefined;
        board = undefined;
        isChanged = true;
      }
      return isChanged;
    },
    forgetDays() {
      const oldest = oldestDay(now());
      for (const { account, unsaved } of entries.values()) {
        forgetBefore(account, oldest);
        for (const day of unsaved) if (day < oldest) unsaved.delete(day);
      }
    },
  };
}

function dayAt(account: Account, componentId: number, startMs: number): SavedDay[] {
  const times = account.get(startMs);
  return times === undefined ? [] : [{ componentId, startMs, times }];
}

/** A component as the page may show it: nothing of its monitor. */
function shownComponent(component: SavedComponent, account: Account, now: Date): Component {
  const { id, groupId, name, description, status, since } = component;
  const { uptime, ...history } = historyOf(account, countedStatus(component), now);
  const shown = {
    id,
    groupId,
    name,
    description,
    visible: isOnPage(component),
    status,
    observed: isObserved(component),
    healthy: isHealthy(component),
    since,
    trackedSince: component.createdAt,
    ...history,
  };
  return { ...shown, uptime: hasNoData(shown) ? null : uptime };
}

/** Of the whole page: the worst of what it shows. */
export function pageStatus({ components }: { components: readonly Pick<Component, "visible" | "status">[] }): ComponentStatus {
  return worstOf(components.filter(({ visible }) => visible).map(({ status }) => status));
}
