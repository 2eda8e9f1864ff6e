import type { Clock } from "../../../platform/clock.ts";
import type { Components, Incidents } from "../seams.ts";
import { renderIncident, renderMonth } from "./history.ts";
import { publicIncident } from "./projection.ts";
import { type RenderedPage, type Copy, createCopy, HTML } from "./page-cache.ts";

/** Pages of the past: a month, an incident. Undefined where there is none. */
export interface Archive {
  month(rendered: RenderedPage, month: string | undefined): Promise<Copy | undefined>;
  incident(rendered: RenderedPage, id: number): Promise<Copy | undefined>;
  /** Something may have changed: nothing that was made before is shown again. */
  clear(): void;
}

const CAPACITY = 500;

export function createArchive({ components, incidents, clock }: { components: Components; incidents: Incidents; clock: Clock }): Archive {
  const kept = new Map<string, Promise<Copy | undefined>>();
  let keptOf: RenderedPage | undefined;

  /** Each is made when first asked for, since there are too many to render all: once, until something changes. Those who ask meanwhile wait for the same. */
  function take(rendered: RenderedPage, key: string, make: () => Promise<Copy | undefined>): Promise<Copy | undefined> {
    // Another rendering may have the same version, and another past.
    if (rendered !== keptOf) kept.clear();
    keptOf = rendered;
    const there = kept.get(key);
    if (there !== undefined) return there;
    const [oldest] = kept.keys();
    if (kept.size >= CAPACITY && oldest !== undefined) kept.delete(oldest);
    const made = make();
    kept.set(key, made);
    // Those who waited get the failure; it is not kept.
    made.catch(() => {
      if (kept.get(key) === made) kept.delete(key);
    });
    return made;
  }

  async function makeMonth({ projection }: RenderedPage, month: string, thisMonth: string): Promise<Copy | undefined> {
    const oldest = (await incidents.oldest()) ?? clock.now();
    const firstMonth = monthOf(oldest);
    if (month > thisMonth || (month < firstMonth && month !== thisMonth)) return undefined;
    const [from, until] = [new Date(`${month}-01T00:00:00Z`), new Date(`${shifted(month, 1)}-01T00:00:00Z`)];
    const board = components.board();
    const shown = (await incidents.within({ from, until })).flatMap((incident) => publicIncident(incident, board) ?? []);
    const done = projection.works.filter(({ isOver, startsAt, endsAt }) => isOver && startsAt < until && endsAt >= from);
    const text = renderMonth(projection, {
      month,
      previous: month > firstMonth ? shifted(month, -1) : null,
      next: month < thisMonth ? shifted(month, 1) : null,
      incidents: shown,
      works: done,
    });
    return createCopy(text, HTML);
  }

  return {
    month(rendered, asked) {
      const thisMonth = monthOf(clock.now());
      const month = asked ?? thisMonth;
      return take(rendered, `month ${month} of ${thisMonth}`, () => makeMonth(rendered, month, thisMonth));
    },
    incident(rendered, id) {
      return take(rendered, `incident ${id}`, async () => {
        const found = await incidents.find(id);
        const shown = found && publicIncident(found, components.board());
        return shown && createCopy(renderIncident(rendered.projection, shown), HTML);
      });
    },
    clear: () => kept.clear(),
  };
}

function monthOf(date: Date): string {
  return date.toISOString().slice(0, 7);
}

function shifted(month: string, by: number): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + by);
  return monthOf(date);
}
