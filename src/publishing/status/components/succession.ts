import { isScope } from "../vocabulary.ts";
import { mayHaveSuccessor, type SavedComponent } from "./component.ts";
import type { Monitors } from "./monitors.ts";

/** Finds what takes the place of monitors that are gone. A search goes over all monitors, so there is one only when something may have changed. */
export class Succession {
  readonly #monitors: Pick<Monitors, "look" | "successors">;
  /** Components whose monitors are gone, and were at the last look. */
  #lost: ReadonlySet<number> = new Set();
  /** Something is gone since, or something appeared that may take its place. */
  #isSearchWanted = true;

  constructor(monitors: Pick<Monitors, "look" | "successors">) {
    this.#monitors = monitors;
  }

  isAnyLost(): boolean {
    return this.#lost.size > 0;
  }

  /** The next look searches. */
  search(): void {
    this.#isSearchWanted = true;
  }

  /** The components, those whose monitor was replaced with the new one; the same array when none was. */
  follow(components: readonly SavedComponent[]): readonly SavedComponent[] {
    const gone = components.filter((each) => !isScope(each.monitor) && mayHaveSuccessor(each, this.#monitors.look(each.monitor)));
    if (gone.some(({ id }) => !this.#lost.has(id))) this.#isSearchWanted = true;
    this.#lost = new Set(gone.map(({ id }) => id));
    if (this.#lost.size === 0 || !this.#isSearchWanted) return components;
    this.#isSearchWanted = false;
    const find = this.#monitors.successors();
    return components.map((each) => (this.#lost.has(each.id) ? withSuccessor(each, find) : each));
  }
}

function withSuccessor(component: SavedComponent, find: ReturnType<Monitors["successors"]>): SavedComponent {
  const { monitor, monitorName: name, agentId } = component;
  if (isScope(monitor)) return component;
  const found = find({ type: monitor.type, name, agentId });
  return found === undefined || found === monitor.id ? component : { ...component, monitor: { type: monitor.type, id: found } };
}
