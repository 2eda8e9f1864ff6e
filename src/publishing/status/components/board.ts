import { type Component, type ComponentStatus, worstOf } from "../vocabulary.ts";
import { type Account, historyOf } from "./account.ts";
import type { SavedComponent } from "./component.ts";

/** A component as the page may show it: nothing of its monitor. */
export function shownComponent(
  { id, groupId, name, description, visible, status, since }: SavedComponent,
  account: Account,
  now: Date,
): Component {
  return { id, groupId, name, description, visible, status, since, ...historyOf(account, status, now) };
}

/** Of the whole page: the worst of what it shows. */
export function pageStatus({ components }: { components: readonly Pick<Component, "visible" | "status">[] }): ComponentStatus {
  return worstOf(components.filter(({ visible }) => visible).map(({ status }) => status));
}
