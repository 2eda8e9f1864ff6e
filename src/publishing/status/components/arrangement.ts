import type { Fault } from "../../../platform/errors.ts";
import type { Order } from "./api.ts";
import type { SavedComponent } from "./component.ts";

/** A heading on the page, and the components under it. */
export interface SavedGroup {
  id: number;
  name: string;
  sortOrder: number;
  createdAt: Date;
  updatedAt: Date;
}

interface Placed {
  id: number;
  sortOrder: number;
}

export function byPlace(a: Placed, b: Placed): number {
  return a.sortOrder - b.sortOrder || a.id - b.id;
}

/** Components in the order of the page: those without a group, then those of each group; `groups` in their order. */
export function inPageOrder(groups: readonly SavedGroup[], components: Iterable<SavedComponent>): SavedComponent[] {
  const rank = new Map(groups.map(({ id }, index): [number | null, number] => [id, index + 1]));
  const rankOf = ({ groupId }: SavedComponent): number => rank.get(groupId) ?? 0;
  return [...components].sort((a, b) => rankOf(a) - rankOf(b) || byPlace(a, b));
}

/** A place after all of these. */
export function lastPlace(placed: Iterable<Placed>): number {
  let last = -1;
  for (const { sortOrder } of placed) last = Math.max(last, sortOrder);
  return last + 1;
}

/** What is wrong with an order of the page: each group and each component is named once. */
export function orderFaults(order: Order, groupIds: readonly number[], componentIds: readonly number[]): Fault[] {
  const faults = [
    ...listFaults("groups", order.groups, groupIds),
    ...listFaults(
      "components",
      order.components.map(({ id }) => id),
      componentIds,
    ),
  ];
  for (const [index, { group_id: groupId }] of order.components.entries()) {
    if (groupId !== null && !groupIds.includes(groupId))
      faults.push({ path: `components.${index}.group_id`, message: `There is no group ${groupId}` });
  }
  return faults;
}

function listFaults(path: "groups" | "components", named: readonly number[], known: readonly number[]): Fault[] {
  const what = path === "groups" ? "group" : "component";
  const suffix = path === "groups" ? "" : ".id";
  const faults = named.flatMap((id, index): Fault[] => {
    if (!known.includes(id)) return [{ path: `${path}.${index}${suffix}`, message: `There is no ${what} ${id}` }];
    if (named.indexOf(id) < index) return [{ path: `${path}.${index}${suffix}`, message: `The ${what} ${id} is named twice` }];
    return [];
  });
  const missing = known.filter((id) => !named.includes(id));
  if (missing.length > 0) faults.push({ path, message: `Every ${what} must be named; missing: ${missing.join(", ")}` });
  return faults;
}
