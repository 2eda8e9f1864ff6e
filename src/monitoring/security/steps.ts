import { joinWords } from "../../contract/words.ts";
import { cleanName } from "../../platform/text.ts";
import type { Insight } from "./insight.ts";
import { type Counting, type PostureSeverity, scoreOf } from "./posture.ts";
import { inService, isForVisitors, localPorts, type Named, wordsOf } from "./words.ts";

export type Remedy =
  | "publish_locally"
  | "drop_privileged"
  | "leave_host_network"
  | "close_cluster_service"
  | "update_image"
  | "confirm_public";

/** What a container could run in place of its image. */
export interface NewerImage {
  /** `nginx:1.27`; when it is what the container runs by name, only the content is another. */
  image: string;
  /** What would still count against its updates then. */
  leaves: readonly PostureSeverity[];
}

/** One change of one container, and all that it puts right. */
export interface Step {
  remedy: Remedy;
  /** Findings; none of an update. */
  resolves: readonly Insight[];
  /** Of an update: what to run. */
  image: string | null;
  /** The container's score when it is done, not rounded. */
  scoreAfter: number;
}

const PORT_TYPES: ReadonlySet<string> = new Set(["port_exposed_all_interfaces", "database_port_exposed"]);
/** As many ports are named in a sentence. */
const NAMED_PORTS = 5;
const MAX_IMAGE = 300;

/**
 * What could be done about a container, each with what would become of its score. `open` are its findings that are not acknowledged. Without a
 * newer image nothing can be done about its updates, whatever counts against them.
 */
export function stepsOf(open: readonly Insight[], updates: Counting["updates"], newer?: NewerImage): Step[] {
  const [published, others] = [open.filter(isOfHost), open.filter((insight) => !isOfHost(insight))];
  const [web, ports] = [published.filter(isForVisitors), published.filter((insight) => !isForVisitors(insight))];
  const groups = [...[ports, web].filter((group) => group.length > 0), ...others.map((insight) => [insight])];
  const steps: Step[] = groups.map((resolves) => {
    const left = open.filter((insight) => !resolves.includes(insight));
    return { remedy: remedyOf(resolves), resolves, image: null, scoreAfter: scoreOf({ findings: left, updates }).score };
  });
  if (updates === undefined || newer === undefined) return steps;
  const scoreAfter = scoreOf({ findings: open, updates: newer.leaves }).score;
  // One that puts nothing right is no step to safety, however much newer it is.
  if (scoreAfter <= scoreOf({ findings: open, updates }).score) return steps;
  return [...steps, { remedy: "update_image", resolves: [], image: cleanName(newer.image, MAX_IMAGE), scoreAfter }];
}

/** Whether it is a port that its host publishes, which could do so on fewer addresses. */
function isOfHost({ type, everyNode }: Insight): boolean {
  return PORT_TYPES.has(type) && everyNode !== true;
}

/** Whether it only asks: what is wrong for sure comes before it, whatever each would gain. */
export function isQuestion({ remedy }: Pick<Step, "remedy">): boolean {
  return remedy === "confirm_public";
}

/** What a step is, for a person: a sentence, and how it is written down. */
export function describeStep(
  container: Named & { image: string },
  { remedy, resolves, image }: Step,
): { text: string; snippet: string | null } {
  if (image !== null) return updateImage(container, image);
  const [first] = resolves;
  if (remedy === "confirm_public") return confirmPublic(container, resolves);
  if (remedy === "publish_locally" || first === undefined) return publishLocally(container, resolves);
  const { fix, snippet } = wordsOf(container, first);
  return { text: fix, snippet };
}

function updateImage(container: Named & { image: string }, image: string): { text: string; snippet: string | null } {
  if (image === container.image) {
    return { text: `Pull ${image} and recreate ${container.name}: the tag has a newer digest.`, snippet: null };
  }
  const line = /^[\w./:@-]+$/.test(image) ? image : JSON.stringify(image);
  return { text: `Update ${container.name} from ${container.image} to ${image}.`, snippet: inService(container, [`image: ${line}`]) };
}

/** Nothing to change of what runs: a website is there to be reached. */
function confirmPublic({ name }: Named, ports: readonly Insight[]): { text: string; snippet: null } {
  const keys = keysOf(ports);
  const [are, them] = keys.length === 1 ? ["is a usual public web port", "it"] : ["are usual public web ports", "them"];
  return {
    text: `${joinWords(keys)} of ${name} ${are}. If ${name} serves visitors, leave ${them} open and acknowledge ${them} with a reason.`,
    snippet: null,
  };
}

function keysOf(ports: readonly Insight[]): string[] {
  return [...new Set(ports.map(({ key }) => key))];
}

function publishLocally(container: Named, ports: readonly Insight[]): { text: string; snippet: string } {
  const lines = new Set(ports.flatMap(({ key, bindings }) => localPorts(key, bindings)));
  const keys = keysOf(ports);
  const named = keys.length > NAMED_PORTS ? [...keys.slice(0, NAMED_PORTS), `${keys.length - NAMED_PORTS} more`] : keys;
  const them = keys.length === 1 ? "it" : "them";
  return {
    text: `Publish ${joinWords(named)} of ${container.name} on 127.0.0.1 only, or not at all if only other containers need ${them}.`,
    snippet: inService(container, ["ports:", ...lines]),
  };
}

function remedyOf([first]: readonly Insight[]): Remedy {
  if (first !== undefined && isOfHost(first)) return isForVisitors(first) ? "confirm_public" : "publish_locally";
  switch (first?.type) {
    case "privileged_container":
      return "drop_privileged";
    case "host_network_mode":
      return "leave_host_network";
    default:
      return "close_cluster_service";
  }
}
