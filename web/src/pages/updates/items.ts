import type { UpdateStatus } from "../../../../src/events.ts";
import type { UpdateRecord } from "../../../../src/monitoring/updates/answers.ts";
import { UPDATE_STATUSES } from "../../../../src/contract/updates.ts";
import { stepOf } from "../../entities/updates/words.ts";

/** A line of the list: the head of a status, an image, or a container. */
export type UpdateItem = StatusItem | ImageItem | { kind: "row"; key: string; update: UpdateRecord };

export interface StatusItem {
  kind: "group";
  key: string;
  status: UpdateStatus;
  /** Undefined while not all are known. */
  count: number | undefined;
}

/** The containers of one image with the same update; of a single one there is nothing to open. */
export interface ImageItem {
  kind: "group";
  key: string;
  updates: readonly [UpdateRecord, ...UpdateRecord[]];
}

/** The rows by status, those that can be updated first; within a status as they come. `isCut`: there are more. */
export function statusItems(updates: readonly UpdateRecord[], isCut: boolean): UpdateItem[] {
  const byStatus = Map.groupBy(updates, ({ status }) => status);
  const last = UPDATE_STATUSES.findLast((status) => byStatus.has(status));
  return UPDATE_STATUSES.flatMap((status) => {
    const rows = byStatus.get(status) ?? [];
    if (rows.length === 0) return [];
    return [
      { kind: "group", key: `status ${status}`, status, count: isCut && status === last ? undefined : rows.length },
      ...rowItems(rows),
    ];
  });
}

/** As they come. */
export function rowItems(updates: readonly UpdateRecord[]): UpdateItem[] {
  return updates.map((update) => ({ kind: "row", key: `update ${update.container_id}`, update }));
}

/** One line for each image and update, in the order of the first container of each, with its containers below. */
export function imageItems(updates: readonly UpdateRecord[]): UpdateItem[] {
  return [...Map.groupBy(updates, imageKey)].flatMap(([key, [first, ...others]]): UpdateItem[] => {
    if (first === undefined) return [];
    const head: ImageItem = { kind: "group", key, updates: [first, ...others] };
    return others.length === 0 ? [head] : [head, ...rowItems(head.updates)];
  });
}

function imageKey(update: UpdateRecord): string {
  const { from, to } = stepOf(update);
  return ["image", update.image, update.status, update.update_type, from, to].join(" ");
}
