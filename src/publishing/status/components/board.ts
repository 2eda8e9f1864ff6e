import { type Component, type ComponentStatus, hasNoData, worstOf } from "../vocabulary.ts";
import { type Account, historyOf } from "./account.ts";
import { countedStatus, isHealthy, isObserved, isOnPage, type SavedComponent } from "./component.ts";

/** A component as the page may show it: nothing of its monitor. */
export function shownComponent(component: SavedComponent, account: Account, now: Date): Component {
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
