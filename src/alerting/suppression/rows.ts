import type { Selectable } from "kysely";
import { z } from "zod";
import { matchers as matchersBody, SILENCE_STATUSES, WINDOW_STATUSES } from "./api.ts";
import type { MaintenanceWindow } from "./maintenance-window.ts";
import { matchersRecord, readMatchers, type Silence } from "./silence.ts";
import type { SilenceRow, WindowRow } from "./tables.ts";

const silencePublished = z.enum(SILENCE_STATUSES);
const windowPublished = z.enum(WINDOW_STATUSES);
const components = z.array(z.number());
const entities = z.array(z.object({ type: z.string(), id: z.string() }));

/** What was saved was checked before; a row that is otherwise was changed by another hand and is a defect. */
export function silenceFromRow(row: Selectable<SilenceRow>): Silence {
  return {
    id: row.id,
    reason: row.reason,
    startsAt: new Date(row.starts_at),
    endsAt: new Date(row.ends_at),
    matchers: readMatchers(matchersBody.parse(JSON.parse(row.matchers))),
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    cancelledAt: row.cancelled_at === null ? null : new Date(row.cancelled_at),
    published: silencePublished.parse(row.told),
  };
}

export function silenceToRow(silence: Omit<Silence, "id">): Omit<SilenceRow, "id"> {
  return {
    reason: silence.reason,
    starts_at: silence.startsAt.getTime(),
    ends_at: silence.endsAt.getTime(),
    matchers: JSON.stringify(matchersRecord(silence.matchers)),
    created_by: silence.createdBy,
    created_at: silence.createdAt.getTime(),
    cancelled_at: silence.cancelledAt === null ? null : silence.cancelledAt.getTime(),
    told: silence.published,
  };
}

export function windowFromRow(row: Selectable<WindowRow>): MaintenanceWindow {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    startsAt: new Date(row.starts_at),
    endsAt: new Date(row.ends_at),
    components: components.parse(JSON.parse(row.components)),
    entities: entities.parse(JSON.parse(row.entities)),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
    published: windowPublished.parse(row.told),
  };
}

export function windowToRow(window: Omit<MaintenanceWindow, "id">): Omit<WindowRow, "id"> {
  return {
    title: window.title,
    description: window.description,
    starts_at: window.startsAt.getTime(),
    ends_at: window.endsAt.getTime(),
    components: JSON.stringify(window.components),
    entities: JSON.stringify(window.entities),
    created_at: window.createdAt.getTime(),
    updated_at: window.updatedAt.getTime(),
    told: window.published,
  };
}
