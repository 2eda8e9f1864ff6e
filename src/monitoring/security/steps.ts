import type { Insight } from "./insight.ts";
import { type Counting, scoreOf } from "./posture.ts";
import { enumerate, inService, localPorts, type Named, wordsOf } from "./words.ts";

export const REMEDIES = ["publish_locally", "drop_privileged", "leave_host_network", "close_cluster_service"] as const;
export type Remedy = (typeof REMEDIES)[number];

/** One change of one container, and all that it puts right. */
export interface Step {
  remedy: Remedy;
  resolves: readonly Insight[];
  /** The container's score when it is done, not rounded. */
  scoreAfter: number;
}

const PORT_TYPES: ReadonlySet<string> = new Set(["port_exposed_all_interfaces", "database_port_exposed"]);
/** As many ports are named in a sentence. */
const NAMED_PORTS = 5;

/** What could be done about a container, each with what would become of its score. `open` are its findings that are not acknowledged. */
export function stepsOf(open: readonly Insight[], updates: Counting["updates"]): Step[] {
  const ports = open.filter(({ type }) => PORT_TYPES.has(type));
  const groups = [...(ports.length === 0 ? [] : [ports]), ...open.filter(({ type }) => !PORT_TYPES.has(type)).map((insight) => [insight])];
  return groups.map((resolves) => {
    const left = open.filter((insight) => !resolves.includes(insight));
    return { remedy: remedyOf(resolves), resolves, scoreAfter: scoreOf({ findings: left, updates }).score };
  });
}

/** What a step is, for a person: a sentence, and how it is written down. */
export function describeStep(container: Named, { remedy, resolves }: Step): { text: string; snippet: string | null } {
  const [first] = resolves;
  if (remedy === "publish_locally" || first === undefined) return publishLocally(container, resolves);
  const { fix, snippet } = wordsOf(container, first);
  return { text: fix, snippet };
}

function publishLocally(container: Named, ports: readonly Insight[]): { text: string; snippet: string } {
  const lines = new Set(ports.flatMap(({ key, bindings }) => localPorts(key, bindings)));
  const keys = [...new Set(ports.map(({ key }) => key))];
  const named = keys.length > NAMED_PORTS ? [...keys.slice(0, NAMED_PORTS), `${keys.length - NAMED_PORTS} more`] : keys;
  const them = keys.length === 1 ? "it" : "them";
  return {
    text: `Publish ${enumerate(named)} of ${container.name} on 127.0.0.1 only, or not at all where other containers alone need ${them}.`,
    snippet: inService(container, ["ports:", ...lines]),
  };
}

function remedyOf([first]: readonly Insight[]): Remedy {
  switch (first?.type) {
    case "privileged_container":
      return "drop_privileged";
    case "host_network_mode":
      return "leave_host_network";
    case "port_exposed_all_interfaces":
    case "database_port_exposed":
      return "publish_locally";
    default:
      return "close_cluster_service";
  }
}
